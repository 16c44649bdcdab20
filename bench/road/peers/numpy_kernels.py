# SPDX-License-Identifier: Apache-2.0
"""The bench's programs as NumPy users write them. Each takes the program's parameters and inputs and
returns a function that runs once and returns the result."""


def kernels(np):
    def chain(_, a, b, c, d):
        return lambda: a * b + c * d

    def total(_, a):
        return lambda: a.sum()

    def dot(_, a, b):
        return lambda: a.dot(b)

    def first_axis_sum(_, a):
        return lambda: a.sum(axis=0)

    def diffusion(_, u):
        out = np.zeros_like(u)

        def step():
            out[1:-1, 1:-1] = u[1:-1, 1:-1] + 0.1 * (
                u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4 * u[1:-1, 1:-1])
            return out
        return step

    def hdiff(_, phi, coeff):
        def step():
            lap = 4 * phi[:, 1:-1, 1:-1] - (
                phi[:, 1:-1, :-2] + phi[:, 1:-1, 2:] + phi[:, :-2, 1:-1] + phi[:, 2:, 1:-1])
            inner = phi[:, 2:-2, 1:-1]
            flx = lap[:, 1:-1, 1:] - lap[:, 1:-1, :-1]
            flx = np.where(flx * (inner[:, :, 1:] - inner[:, :, :-1]) > 0, 0, flx)
            inner = phi[:, 1:-1, 2:-2]
            fly = lap[:, 1:, 1:-1] - lap[:, :-1, 1:-1]
            fly = np.where(fly * (inner[:, 1:] - inner[:, :-1]) > 0, 0, fly)
            return phi[:, 2:-2, 2:-2] - coeff * (
                flx[:, :, 1:] - flx[:, :, :-1] + fly[:, 1:] - fly[:, :-1])
        return step

    def vadv(parameters, u_stage, u_pos, utens, wcon, out):
        nk = parameters["nk"]
        ccol, dcol = np.empty_like(out), np.empty_like(out)

        def step():
            for k in range(nk):
                right = 3 * u_pos[k] + utens[k] + out[k]
                centre = 3.0
                if k > 0:
                    below = -0.125 * (wcon[k, :, 1:] + wcon[k, :, :-1])
                    centre = centre - below - below * ccol[k - 1]
                    right -= below * (u_stage[k - 1] - u_stage[k] + dcol[k - 1])
                if k < nk - 1:
                    above = 0.125 * (wcon[k + 1, :, 1:] + wcon[k + 1, :, :-1])
                    centre = centre - above
                    right -= above * (u_stage[k + 1] - u_stage[k])
                    ccol[k] = above / centre
                dcol[k] = right / centre
            for k in range(nk - 1, -1, -1):
                if k < nk - 1:
                    dcol[k] -= ccol[k] * dcol[k + 1]
                out[k] = 3 * (dcol[k] - u_pos[k])
            return out
        return step

    def matmul(_, a, b):
        out = np.empty_like(a)
        return lambda: np.matmul(a, b, out=out)

    def softmax(_, x):
        def step():
            e = np.exp(x - x.max(axis=1, keepdims=True))
            return e / e.sum(axis=1, keepdims=True)
        return step

    def distances(_, x):
        return lambda: np.sqrt(((x[:, None, :] - x[None, :, :]) ** 2).sum(axis=-1))

    return dict(chain=chain, total=total, dot=dot, first_axis_sum=first_axis_sum,
                diffusion=diffusion, hdiff=hdiff, vadv=vadv, matmul=matmul, softmax=softmax,
                distances=distances)
