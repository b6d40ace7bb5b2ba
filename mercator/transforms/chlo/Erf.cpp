// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rational and Chebyshev coefficients: the Cephes library (S. Moshier, netlib);
// those of the inverse error function of f64: M. Giles, "Approximating the
// erfinv function" (2012); of f32: fits of the least greatest error, rounded.

#include "mercator/transforms/chlo/Functions.h"

#include <cmath>

using namespace mlir;
using namespace mercator;
using namespace mercator::chlo;

//===--- erf, erfc --------------------------------------------------------===//

/// erf(x) for |x| <= 1: x T(x^2).
static Num erfNear(Num x) {
  Num square = x * x;
  if (!isDouble(x))
    return x * polynomial(square, {7.853861353153693e-5, -8.010193625184903e-4,
                                   5.188327685732524e-3, -2.685381193529856e-2,
                                   1.128358514861418e-1, -3.761262582423300e-1,
                                   1.128379165726710});
  return x *
         polynomial(square, {9.60497373987051638749, 9.00260197203842689217e1,
                             2.23200534594684319226e3, 7.00332514112805075473e3,
                             5.55923013010394962768e4}) /
         polynomial(square,
                    {1.0, 3.35617141647503099647e1, 5.21357949780152679795e2,
                     4.59432382970980127987e3, 2.26290000613890934246e4,
                     4.92673942608635921086e4});
}

/// exp(-x^2) for x >= 0. The rounding error of the square would be multiplied
/// by x^2, so the square is split: x^2 = h^2 + (x - h)(x + h), where h^2 is
/// exact. Of f32 the second part is at most 0.09, as x is at most 11.
static Num gauss(Num x) {
  double steps = isDouble(x) ? 1024.0 : 256.0;
  Num h = floor(min(x, 64.0) * steps) / steps;
  Num rest = (h - x) * (h + x);
  Num small =
      isDouble(x)
          ? exp(rest)
          : polynomial(rest, {1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5, 1.0, 1.0});
  return exp(-(h * h)) * small;
}

/// The polynomial of w with the first or the second coefficients.
static Num piecewise(Num w, Num isFirst, ArrayRef<double> first,
                     ArrayRef<double> second) {
  Num sum = select(isFirst, first[0], constantLike(w, second[0]));
  for (size_t i = 1; i < first.size(); ++i)
    sum = sum * w + select(isFirst, first[i], constantLike(w, second[i]));
  return sum;
}

/// erfc(x) for x >= 1.
static Num erfcFar(Num x) {
  if (!isDouble(x)) {
    Num q = 1.0 / x, square = q * q;
    Num p = piecewise(
        square, x < 2.0,
        {2.326819970068386e-2, -1.387039388740657e-1, 3.687424674597105e-1,
         -5.824733027278666e-1, 6.210004621745983e-1, -4.944515323274145e-1,
         3.404879937665872e-1, -2.741127028184656e-1, 5.638259427386472e-1},
        {0.0, -1.047766399936249e1, 1.297719955372516e1, -7.495518717768503,
         2.921019019210786, -1.015265279202700, 4.218463358204948e-1,
         -2.820767439740514e-1, 5.641895067754075e-1});
    return gauss(x) * q * p;
  }
  Num nearer =
      polynomial(x, {2.46196981473530512524e-10, 5.64189564831068821977e-1,
                     7.46321056442269912687, 4.86371970985681366614e1,
                     1.96520832956077098242e2, 5.26445194995477358631e2,
                     9.34528527171957607540e2, 1.02755188689515710272e3,
                     5.57535335369399327526e2}) /
      polynomial(x, {1.0, 1.32281951154744992508e1, 8.67072140885989742329e1,
                     3.54937778887819891062e2, 9.75708501743205489753e2,
                     1.82390916687909736289e3, 2.24633760818710981792e3,
                     1.65666309194161350182e3, 5.57535340817727675546e2});
  Num farther =
      polynomial(x, {5.64189583547755073984e-1, 1.27536670759978104416,
                     5.01905042251180477414, 6.16021097993053585195,
                     7.40974269950448939160, 2.97886665372100240670}) /
      polynomial(x, {1.0, 2.26052863220117276590, 9.39603524938001434673,
                     1.20489539808096656605e1, 1.70814450747565897222e1,
                     9.60896809063285878198, 3.36907645100081516050});
  return gauss(x) * select(x < 8.0, nearer, farther);
}

/// Clamps to where erfc underflows, so that no power overflows.
static Num bounded(Num magnitude) {
  return min(magnitude, isDouble(magnitude) ? 28.0 : 11.0);
}

Num chlo::erf(Num x) {
  Num a = abs(x);
  return select(a <= 1.0, erfNear(x),
                withSignOf(1.0 - erfcFar(bounded(max(a, 1.0))), x));
}

Num chlo::erfc(Num x) {
  Num a = abs(x), tail = erfcFar(bounded(max(a, 1.0)));
  return select(a <= 1.0, 1.0 - erfNear(x), select(x < 0.0, 2.0 - tail, tail));
}

//===--- The inverse ------------------------------------------------------===//

// x P(w) with w = -log(1 - x^2), which is infinite at x = 1. Near 1 the factors
// of 1 - x^2 are exact, x^2 is not. Near 0 the logarithm loses what is small
// beside 1, but only the absolute error of w counts: P'(0) is 0.24, P(0) 0.89.
Num chlo::erfInv(Num x) {
  Num w = -log((1.0 - x) * (1.0 + x));
  if (!isDouble(x)) {
    Num near = w < 5.0;
    // P less 1, whose rounding counts less, around w = 1 or sqrt(w) = 3, so that no term
    // is much larger than the sum.
    Num rest = piecewise(select(near, w - 1.0, sqrt(w) - 3.0), near,
                         {-9.007509e-09, 1.4489507e-07, -5.397829e-07,
                          -4.370808e-06, 3.8223738e-05, 0.00010021998,
                          -0.0023763948, 0.0042506745, 0.24783286, 0.1273744},
                         {0.00011763051, -0.00030926714, -6.223704e-05,
                          0.0014848493, -0.0035926222, 0.005687177,
                          -0.0076388773, 0.009445169, 1.0016751, 1.8329768});
    // The sum loses the sign of zero, and a subnormal product.
    return select(abs(x) < 1e-30, x * 0.886226925, x + x * rest);
  }
  Num root = sqrt(w);
  Num nearest = polynomial(
      w - 3.125, {-3.6444120640178196996e-21, -1.685059138182016589e-19,
                  1.2858480715256400167e-18,  1.115787767802518096e-17,
                  -1.333171662854620906e-16,  2.0972767875968561637e-17,
                  6.6376381343583238325e-15,  -4.0545662729752068639e-14,
                  -8.1519341976054721522e-14, 2.6335093153082322977e-12,
                  -1.2975133253453532498e-11, -5.4154120542946279317e-11,
                  1.051212273321532285e-09,   -4.1126339803469836976e-09,
                  -2.9070369957882005086e-08, 4.2347877827932403518e-07,
                  -1.3654692000834678645e-06, -1.3882523362786468719e-05,
                  0.0001867342080340571352,   -0.00074070253416626697512,
                  -0.0060336708714301490533,  0.24015818242558961693,
                  1.6536545626831027356});
  Num near = polynomial(root - 3.25,
                        {2.2137376921775787049e-09, 9.0756561938885390979e-08,
                         -2.7517406297064545428e-07, 1.8239629214389227755e-08,
                         1.5027403968909827627e-06, -4.013867526981545969e-06,
                         2.9234449089955446044e-06, 1.2475304481671778723e-05,
                         -4.7318229009055733981e-05, 6.8284851459573175448e-05,
                         2.4031110387097893999e-05, -0.0003550375203628474796,
                         0.00095328937973738049703, -0.0016882755560235047313,
                         0.0024914420961078508066, -0.0037512085075692412107,
                         0.005370914553590063617, 1.0052589676941592334,
                         3.0838856104922207635});
  Num far = polynomial(root - 5.0,
                       {-2.7109920616438573243e-11, -2.5556418169965252055e-10,
                        1.5076572693500548083e-09, -3.7894654401267369937e-09,
                        7.6157012080783393804e-09, -1.4960026627149240478e-08,
                        2.9147953450901080826e-08, -6.7711997758452339498e-08,
                        2.2900482228026654717e-07, -9.9298272942317002539e-07,
                        4.5260625972231537039e-06, -1.9681778105531670567e-05,
                        7.5995277030017761139e-05, -0.00021503011930044477347,
                        -0.00013871931833623122026, 1.0103004648645343977,
                        4.8499064014085844221});
  Num p = select(w < 6.25, nearest, select(w < 16.0, near, far));
  return select(abs(x) == 1.0, x * HUGE_VAL, x * p);
}

//===--- Bessel -----------------------------------------------------------===//

/// The sum of coefficients times Chebyshev polynomials of x / 2, the highest
/// degree first, by Clenshaw's recurrence.
static Num chebyshev(Num x, ArrayRef<double> coefficients) {
  Num b0 = constantLike(x, coefficients.front()), b1 = constantLike(x, 0.0),
      b2 = b1;
  for (double c : coefficients.drop_front()) {
    b2 = b1;
    b1 = b0;
    b0 = x * b1 - b2 + c;
  }
  return 0.5 * (b0 - b2);
}

Num chlo::besselI1e(Num x) {
  // Terms that are negligible for f32 are omitted.
  static const double near[] = {
      2.77791411276104639959e-18, -2.11142121435816608115e-17,
      1.55363195773620046921e-16, -1.10559694773538630805e-15,
      7.60068429473540693410e-15, -5.04218550472791168711e-14,
      3.22379336594557470981e-13, -1.98397439776494371520e-12,
      1.17361862988909016308e-11, -6.66348972350202774223e-11,
      3.62559028155211703701e-10, -1.88724975172282928790e-9,
      9.38153738649577178388e-9,  -4.44505912879632808065e-8,
      2.00329475355213526229e-7,  -8.56872026469545474066e-7,
      3.47025130813767847674e-6,  -1.32731636560394358279e-5,
      4.78156510755005422638e-5,  -1.61760815825896745588e-4,
      5.12285956168575772895e-4,  -1.51357245063125314899e-3,
      4.15642294431288815669e-3,  -1.05640848946261981558e-2,
      2.47264490306265168283e-2,  -5.29459812080949914269e-2,
      1.02643658689847095384e-1,  -1.76416518357834055153e-1,
      2.52587186443633654823e-1};
  static const double far[] = {
      7.51729631084210481353e-18,  4.41434832307170791151e-18,
      -4.65030536848935832153e-17, -3.20952592199342395980e-17,
      2.96262899764595013876e-16,  3.30820231092092828324e-16,
      -1.88035477551078244854e-15, -3.81440307243700780478e-15,
      1.04202769841288027642e-14,  4.27244001671195135429e-14,
      -2.10154184277266431302e-14, -4.08355111109219731823e-13,
      -7.19855177624590851209e-13, 2.03562854414708950722e-12,
      1.41258074366137813316e-11,  3.25260358301548823856e-11,
      -1.89749581235054123450e-11, -5.58974346219658380687e-10,
      -3.83538038596423702205e-9,  -2.63146884688951950684e-8,
      -2.51223623787020892529e-7,  -3.88256480887769039346e-6,
      -1.10588938762623716291e-4,  -9.76109749136146840777e-3,
      7.78576235018280120474e-1};
  Num a = abs(x);
  ArrayRef<double> nearTerms(near), farTerms(far);
  if (!isDouble(x)) {
    nearTerms = nearTerms.take_back(17);
    farTerms = farTerms.take_back(7);
  }
  Num small = a * chebyshev(0.5 * a - 2.0, nearTerms);
  Num large = chebyshev(32.0 / max(a, 8.0) - 2.0, farTerms) / sqrt(a);
  return withSignOf(select(a <= 8.0, small, large), x);
}
