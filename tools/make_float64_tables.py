from mpmath import mp, mpf, log, atan, pi, floor, nint, power
mp.prec=2000
def rd(x):  # nearest double
    return float(x)
def hx(v):
    return float(v).hex()
def pair(x):
    h=float(x); l=float(x-mpf(h)); return h,l
def emit(name, vals, ty="double", per=4):
    s="inline constexpr %s %s[%d] = {\n"%(ty,name,len(vals))
    line="   "
    for v in vals:
        t=(" "+(v if isinstance(v,str) else hx(v))+",")
        if len(line)+len(t)>100:
            s+=line+"\n"; line="   "
        line+=t
    return s+line+"\n};\n"
def exp_table():
    a=[pair(power(2,mpf(j)/64)) for j in range(64)]
    return emit("kPowerHi",[p[0] for p in a])+emit("kPowerLo",[p[1] for p in a])
def log_table():
    inv=[];hi=[];lo=[]
    off=0x3fe6000000000000
    import struct
    for i in range(128):
        b0=off+(i<<45); b1=b0+(1<<45)
        f=lambda b: struct.unpack('<d',struct.pack('<Q',b))[0]
        x0,x1=f(b0),f(b1)
        c=float(2/(mpf(x0)+mpf(x1)))
        if x0<=1<=x1: c=1.0
        L=-log(mpf(c))
        h=float(nint(L*2**42)/2**42)
        inv.append(c);hi.append(h);lo.append(float(L-mpf(h)))
    return emit("kInverse",inv)+emit("kLogHi",hi)+emit("kLogLo",lo)
def atan_table():
    a=[pair(atan(mpf(i)/8)) for i in range(9)]
    return emit("kAtanHi",[p[0] for p in a])+emit("kAtanLo",[p[1] for p in a])
def two_over_pi():
    n=int(floor(2/pi*mpf(2)**(64*19)))
    w=["0x0"]+["0x%016x"%((n>>(64*(18-k)))&(2**64-1)) for k in range(19)]
    return emit("kTwoOverPi",w,"std::uint64_t")
head='''// SPDX-License-Identifier: Apache-2.0
#pragma once
// %s Written by tools/make_float64_tables.py.
%s
namespace lathe::elementary::float64 {

%s
}  // namespace lathe::elementary::float64
'''
if __name__=="__main__":
    import sys
    d=sys.argv[1]
    def w(f,c,body,inc=""):
        open(d+"/"+f,"w").write(head%(c,inc,body))
    w("exp_table.h","2^(j/64) for j = 0..63, as unevaluated sums hi + lo.",exp_table())
    w("log_table.h","For each 128th of a binade from 0.6875 to 1.375: c near the inverse of its middle (1 beside 1),\n// and -log c as hi + lo, hi a multiple of 2^-42.",log_table())
    w("atan_table.h","atan(i/8) for i = 0..8, as unevaluated sums hi + lo.",atan_table())
    w("trig_table.h","64 zero bits, then the first 1216 bits of 2/pi.",two_over_pi(),"\n#include <cstdint>\n")
