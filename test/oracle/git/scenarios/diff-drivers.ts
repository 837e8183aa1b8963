/** The drivers that need no configuration: which lines are heads of functions, and what a word is. */
import type { Scenario } from "../scenario.ts";

interface Samples {
  /** Lines that may be heads. */
  readonly heads: string;
  /** Lines of words. */
  readonly words: string;
}

/** "§" stands for a backquote, "¶" for a dollar before a brace. */
const samples: Record<string, Samples> = {
  ada: {
    heads: `package Foo is
package body Foo is
procedure Bar (X : in Integer) is
function F return Integer is
 function F return Integer;
task type T is
protected body P is
procedure X is new Y;
procedure X renames Y;
procedure X is separate;
   overriding procedure Q;
generic
entry E when True is
type T is new Integer;
separate (Foo)
PROCEDURE Up is
package X is new Gen (Integer);
begin
with Ada;
task T is
protected T is
task body T is
function "+" (A, B : T) return T is
procedure P is  -- comment
renames procedure
package P renames Q;
package P is new Q
function X
task
X : procedure Y
is new procedure
package X is  new Y
procedure Renames_It is
procedure X is newer
function F is (1)
procedure P is separate
procedure Q is abstract`,
    words: `X := Y**2 + 16#FF#e+2;
a..b => c /= d
1_000.5E-3 <<L>> <> x'range
if A>=B then C<=D;
2#1010#  x3 --c
1.e3 1e 12E+4 12#ab.c#E3`,
  },
  bash: {
    heads: `foo() {
foo () {
function foo {
function foo() {
foo()
foo() ((
foo() [[ -n x ]]
foo() (
function foo (
function foo ((
  nested() {
foo-bar() {
foo.bar() {
foo:bar() {
if foo; then
foo() { # c
foo bar() {
foo() echo
function foo [[ x
foo()   if x
9foo() {
_f() {
$f() {
function f() { echo; }
a+b() {
function a-b {
function f;
foo() { echo RIGHT; }
function foo()
function foo
function foo( )  [[
foo( )  {
function foo()
function  foo  {
foo	(	)
functionfoo {
function foo() ((
function f( ) [[ x`,
    words: `a=$b; ¶{c:-d} && foo||bar
-n "$x" --long=arg 1.5 <<EOF
if [[ $a == b ]]; then
a+=b;;& x&>y c>|d $((1<<2))
¶{a##*/} ¶{b%%x} $@ $# ¶{!x} ¶{a,,} ¶{a^^}
foo-bar foo.bar a/b x=1 "str ing"
$(cmd) §x§ !! 2>&1 |& ¶{x//a/b} ¶{x:?e} ¶{x:+y} <<<s >>f`,
  },
  bibtex: {
    heads: `@article{foo,
@ARTICLE{foo
  @book {x
@string(x)
@comment{
@a{
@{x
article{x
@inproceedings{a:b, t={x}}
@article{foo, % c
@misc(foo,
@misc{
@misc 	{x
@misc
@misc{ a b
@a"b
@a1{x
@misc{a-b_c:d/e}
@misc{x#y`,
    words: `@article{foo, title={A "b" c}, year=2000}
author = "X and Y",`,
  },
  cpp: {
    heads: `int main(int argc)
  int x = 3;
class Foo {
struct Foo
label:
public:
  public:
case 3:
Foo::Foo() : a(b)
template <class T>
#define X
namespace a::b {
::Foo bar()
static void
/* comment
// x
extern "C" {
goto x;
default: 
private slots:
void f();
Foo::~Foo()
~Foo()
x;
}
{
  void Foo::bar()
operator bool()
[[nodiscard]] int f()
inline int f() { return 1; }
enum class E
typedef struct {
return 0;
int a[] = {
public: int x
A::B::
a :b
signals: 
 a:
a: b:
_x()
é()
9()
::~x
:: x
a:
a: // x
a: /* x
a:  x
_:
default:
public: // c
::
::a:
: x`,
    words: `a->b->*c .* ::d <<= >>= <=> 1'000 0xffUL 1.5e-3f 0b11 x++
a+=b-=c*=d/=e%=f&=g|=h^=i&&j||k==l!=m<=n>=o
1.e5 .5 1e+5 5.f 0x1p-3 0x1.8p3 1..2 a...b "str" 'c' L"x"
#include <x.h> // c /* d */ a<b>c ~d !e ?f:g
12ab 0x 0xg 1_km 1.2.3 1e5e6 0778 1u 2ull 3zu .e5 .5.6 a.b.c 1->2 -1 +1 a-1 1-1 1+1 1e+1+1
co_await x; a##b c#d a::b::c a--b
0b1101 0B1 0xAB'CD 1'2'3 0x1F.p2 1.f 1.0L 08 1E5 1P5
á éa aé 日本 a日b`,
  },
  csharp: {
    heads: `class Foo
public class Foo
    public void Bar()
    public int X { get; set; }
namespace A.B
using System;
    if (x)
    return foo();
    new Foo()
    private static async Task<int> F(int x)
    foo();
    x = foo(y);
interface I
enum E
record R
struct S
    public Foo() : base()
    catch (E e)
    lock (x)
    while (x)
    int x;
    internal sealed class X
    public int this[int i]
    public event X Y;
    protected override string ToString() =>
    switch (x)
    do
    void F()
    List<int> F()
    throw new X()
    for (;;)
    foreach (var x in y)
    public static implicit operator X(Y y)
    var x = 3;
    [Test]
    get
    int X
    public X
    public abstract class Y<T>
    unsafe void X()
    partial class Q
    delegate void D(int x);
    public int X => 1;
    public int X
    public int X 
    else if (x)
    using (var x = y)
    fixed (x)
    default:
    await foo();
    A B(C d)
    A.B C(D e)
    A? B(C d)
    A[] B(C d)
    @a
  public static int Foo(
   int Foo(
Foo Bar(Baz)
x y z()
else x
new x
return x
returns x()
elsewhere()
  public class
  int x()  
   int  x ( a )
if x
await x
await x(y)
yield x
case x
throw x
throw x()
using x
using x()
do x()
for x()
while x()
goto x
catch x
var x
A<B,C> D()
A<B, C> D()
A*  D()
int X{
int x(y) {
public static class X {
record struct Y
event x y
delegate int d(x)
namespace
public ~Foo()
~Foo()
public static A operator +(A a)
void @if()
int F<T>(T x)
int F<T>(T x) where T: y
foreach x
lock x
switch x
default x
public readonly int X
const int X
readonly struct X
public static X
async Task X
static x y z
extern void F()
public extern void F()
virtual x y()
static x
instanceof x(y)
foreach x(y)
partial int X
unsafe int X
abstract int X
async class X
virtual class X
new class Y
partial x y()
unsafe class X
static unsafe class Y
abstract partial class Z
sealed int X
override int X
virtual int X
readonly x y()
newer x
internal class
public  struct  Q
new int X
x.y struct Z
public override class X
async interface I`,
    words: `a+=b 0xFFL 1.5f x=>y a??b ?. a?.b @"x" $"y" 1-2 a-1
a--b++c==d!=e<=f>=g&&h||i<<j>>k<<=l>>=m::n->o
1e+5 1E5 1_000 0b11 12ul 1.5m .5 1..2 x.y 0xg -1 a+1
&= |= ^= %= /= *= -= => ... << >>>`,
  },
  css: {
    heads: `.foo {
#a, b {
a:hover {
  color: red;
@media print {
a
div,
b > c {
/* c */
:root {
[x] {
  .indented {
color: red
a{color:red;}
*{
a {
}
@import url;
::before {
a:
a b: 
from {
50% {
a;
a :not(b) {
_x {
-x {
9 {
$x: 3
@charset "x"; 
a ,
a }
A{
Á {
a: b
@x
#
. x
a;  
a: /* c */
É`,
    words: `color: #ff00aa; margin: 1.5em -10px 50% !important
a.b#c:hover > d::before { x:y }
font-family: "A B", sans-serif; @media (min-width:10px)
-webkit-foo: -1.5 1e3 100vh 10Q url(a/b.c) a+b~c
-0.5 .5em #abc 10-20 a-1 1-a 12a 12pxx 1.2.3px é x_y -x --v`,
  },
  dts: {
    heads: `/ {
foo@1 {
	label: node {
&ref {
	compatible = "x";
	x = <1>;
#include "x"
/dts-v1/;
	a {
	prop;
a: b: c@3 {
	x = "y", {
/* c
	node
	node@1,2 
	foo = <1
	&{/path} {
	a {};
/ { // c
{
	a
	a /* x */ {
	a // c
	a = b
a,b#c+d?e.f_g-h {
	a { b
	};
	};  
	reg
	a { /* c */
	 * x
	label:
	"x"
	<1 2>
	0x3
	&x
	- x
/
/x {
a //;
a /* = */
&
_a
/{
/	{ x`,
    words: `reg = <0x10 0xff>;
compatible = "a,b-c", "d";
x@deadbeef,1 { #size-cells = <1>; };
&label { status="ok"; a = <&b 1 (2+3)>; }
/dts-v1/; /delete-node/ x; 12UL 0x1ULL 1?2:3 << >> && || != == <= >= 1.5 a.b`,
  },
  elixir: {
    heads: `def foo do
  defp foo(x), do: x
defmodule A.B do
defmacro x
@doc "x"
end
test "x" do
defimpl X, for: Y
defprotocol P do
  describe "x" do
defguard x
defstruct [:a]
defdelegate a
defexception
defmacrop m
defoverridable
definitely x
deff
setup do
def
def(
if x do
defguardp y
defcallback z
  test
test(
describe
@impl true
alias X
defn f
  def  x
defp
defmacro
defimpl(
testing x
def	x`,
    words: String.raw`a |> b <> c ++ d -- e &&& f ||| g :atom "s" #{x} @doc %{a: 1} ~r/x/ 0xff 0b11 0o17 1_000.5e-3 ?a
a!=b a!==b a=~b a->b a<-b a::b a..b a...b \\ c &f/1 x? y! ^^^ ~~~ >>> <<< <~> <~ ~> |~| 1.5 1..2
@spec foo(a) :: b :"x y" :+ %Foo{} a.b A.B.c x! x? a?b !a 0xg 12_3e5 é`,
  },
  fortran: {
    heads: `program x
      subroutine Foo(a)
  module m
  module procedure p
end subroutine
      integer function f(x)
  block data bd
! comment
c subroutine x
  PURE SUBROUTINE x
  recursive function f() result(r)
  interface
  type t
C subroutine
* function x
      end module
  module subroutine s
double precision function d(x)
   real(8) function r(x)
  subroutine
function
  x = function(y)
  call subroutine(y)
 elemental function e
  "function x"
endprogram
  program
  character(len=3) function f()
   program  x
    module function g(x)
!$ subroutine x
   BLOCK  DATA x
   block data
   end function x
   'x' function y
cprogram x
  module  procedure
  moduleprocedure x
   submodule (a) b
   integer, pure function x
function x
function 1
subroutine a;b
end program x
end  module y
a  subroutine  b
endsubroutine x
x!y function z
program 1x
program _x`,
    words: `x = y**2 + 1.5d0_dp .and. .not. z /= w == v
a%b(1:2) // "s" <= >= => 1e-5 0x1 12_8 .true. .5 1. 1.e3 &
if (a.eq.b) then !c
1.D+3 x.y 1.2.3 12abc 1_8 .le. a.le.b
3.eq.4 1..2 :: (/ 1, 2 /) 1e5_dp 1d+3 "it''s"`,
  },
  fountain: {
    heads: `INT. HOUSE - DAY
EXT. X
.FORCED
int. low
EST. X
I/E CAR
INT/EXT. Y
  INT. x
INT HOUSE
INTERIOR X
..x
text
.
. x
EXT/INT X
int./ext. x
INT. 
INT.
I/E. x
FADE OUT
INT./EXT x
.1
est x
E/I x
.Scene
INT
int 
Est. x
.. x
. 
int./extx
i/e.x`,
    words: `a b-c, d. E`,
  },
  golang: {
    heads: `func foo() {
func (r *T) foo(a int) {
type X struct {
type X interface {
type X int
	func()
import (
var x = func() {
func foo()
type X struct{}
func f() { return }
	type Y struct {
func
type (
func(x)
type X  struct {
type X struct
type X[T any] struct {
type x interface{ a }
const (
func F[T any](x T) {
  func f() {
 func (x) {
func f() (
func f(
func  f(a,
typex struct {
	type A, B struct {
func f() {}
type X = struct {
funcx
func x
type X struct { a
typestruct x
type  interface
type X map[x]struct{}
type X structy`,
    words: `a := b<-c &^= d ... x[1:] 0xFFi 1.5e-3 0b11 07 1_000 §raw§ 'c'
a+=b-=c &&= || == != <= >= <<= >>= ++ -- %= ^= |= &^ <- :=
1+2 a-1 1-1 1e+5 1.2.3 .5 5. 0x1p-2 0o17 12i x.y 1e5i 0xg
&= *= /= é日 a.b.c <- <<`,
  },
  html: {
    heads: `<h1>x</h1>
  <h2 class="a">
<h3>
<H4 x>
<p>
<h7>
<h1x>
<h1
x <h1>
<h1/>
<h1 >y
<h1 a
	<h6>é
</h1>
<hr>
<h0>`,
    words: `<a href="x">text & more</a>
<h1 id=foo class='b'>A=B</h1> <!-- c -->
&nbsp; x=y é<b>`,
  },
  java: {
    heads: `class Foo {
public class Foo<T> extends B {
    public void bar() {
    if (x) {
    return foo(x);
    int x = 3;
    enum E {
interface I {
    @Override
    private static final int X = 1;
    Foo(int x) {
    List<String> f(int a) throws E {
    Map<String, ? extends X> g(
    foo(x);
    new Foo() {
    throw new X();
    A,
    while (x) {
    for (;;) {
    catch (E e) {
    synchronized (x) {
record R(int a) {
    abstract int f();
    default void f() {
    protected <T> T f(T t) {
    int[] f()
    A.B f(x)
public
public class
  static class X
    public Foo() {
    @interface A
    do x();
    switch (x) {
    instanceof x(
    a b (c
    final @X int f()
    Foo f() { return x; }
    sealed interface X
    <T extends X & Y> f(
    x y
    void f
void f(
f(
  f(x) {
    public @interface A
    int f(); 
    String foo = bar(baz);
   else if (x)
public class Foo {
public class Foo
public class Foo extends Bar {
static class X {
final class Y
public enum Z {
public interface Q
class
class 
private static class W
    class A<T> {
public record R(int x) {
classy x
public static void main(String[] args) {
int f(a
int f(a, b) throws X
x.y<z>[] f(
a? f(
a, b f(
public static <K, V> Map<K, V> f(K k) {
int f(x) // ; c
Foo f (
@A int f(
a[] f()
int	f(
whileTrue x(
forEach x(
newFoo x(
non-sealed class X {
a-b enum Q x
A class B {
class B	{
class B extends
enum  E  implements
a1 class B {`,
    words: `a+=b 0xFFL 1.5f x->y a::b @Foo >>>= >>> << <= 1-2 a-1
x++ y-- a&&b||c!=d==e "s" 'c' 1_000 0b11 1e+5 1E5 .5 5.
a-=1 *= /= %= &= |= ^= <<= >>= instanceof 12L 1..2 a.b
1+2 0xg -1 +1 1e5f é <T extends X>`,
  },
  kotlin: {
    heads: `class Foo {
fun bar(x: Int): Int {
    private fun f() = 3
data class D(val a: Int)
object O
interface I
enum class E
    val x = 3
sealed class S
@Ann class X
    override fun g()
fun <T> f()
if (x)
companion object {
fun interface F
inline fun f
typealias A = B
    if (x) fun
public abstract class X
suspend fun f()
  fun
class
fun String.ext()
internal annotation class A
  abstract val x
    constructor(x)
init {
  public x fun
a class
  a interface
A class X
aB class X
data  class  X
 expect fun interface X
1 class
fun(x)
fun  f
Data class x
a b c fun d
a1 fun x
class:x
fun§x§`,
    words: `a?.b ?: c!!.d x..y -> :: 0xFFu 1_000L 1.5f 0b11 @a a=== b !== c
a+=b-=c*=d/=e%=f++g--h&&i||j<=k>=l==m!=n
1+2 a-1 1-1 1e-5 1.5e+3 .5 12.a 1..2 ..< "s" 'c' é as? !is !in 1u 2UL
0b1101 0x1F 0B1 0X1 1__0 1_ 1.0F 5. e5 1e5f 12.34.56 0xg ?:a ?.b`,
  },
  markdown: {
    heads: `# h
  ## x
    # code
#x
####### seven
text
#	tab
# 
#
   ### y
x # y
=====
###### six
1. # x`,
    words: `a *b* §c§ [x](y) <z> a=b é`,
  },
  matlab: {
    heads: `function foo
  function [a,b] = f(x)
classdef X < Y
%% section
## octave
% c
end
functionx
function
  %% indented
classdef
%%% x
%%
## 
###
## x
%%x
methods
  classdef Y
x = function
##x
function(x)
%%%% x
### x
%% 
%%%
  ## x
function  x
functional x`,
    words: String.raw`x = a.*b ./ c .^ d' ~= e == f && g || h 1.5e-3 ...
a(1:end) @(x) x.y {c} "s" ! != <= >= ++ -- += .' 12i
1:2:3 .5 5. 1e+5 a_b 0xff 1.2.3 a-1 .\ \ %c #d é x'y
[1,2;3,4] 1e5i ..' a..b ~a !a`,
  },
  objc: {
    heads: `- (void)foo
+ (id)bar:(int)x
@implementation Foo
@interface Foo : NSObject
int main(void)
  foo();
@end
@property int x;
label:
static int f(
- foo;
-(void)x:(int)y z:(int)w
@protocol P
  - (x)y
+(x)
if (x)
int x;
  return x();
@class X;
- (void)foo;
void f() {
  case 3:
#import <x>
@synthesize x;
  switch (x)
  } else if (x)
struct x
- (a *)b
-x
x y(
  x y(z
typedef struct {
@protocol P;
static
- (void) x
}
@implementation
@ implementation X
  @implementation X
for (
do x(
while (
a b c
int f(x);
int *f(
int* f(x)
const char *f(x)
-(x)y
-( x )y
- (id<P>)y
int  f  (
unsigned int f(a, b)
doit x(
returning x(
a b(c) d
x f(a);b`,
    words: `[a b:c] @"s" x->y 1.5f 0xFFL a::b ++ -- && || <<=
a+=b == != <= >= -= *= /= 1-2 a-1 é 1e+5
@selector(x) ^{ } << >> >>= &= |= %= ^= ...`,
  },
  pascal: {
    heads: `procedure Foo;
function Bar: Integer;
constructor Create;
destructor Destroy;
interface
implementation
initialization
finalization
TFoo = class(TBar)
TFoo = record
  procedure x
class procedure Y
unit x;
begin
  TFoo = class
type
Procedure X
x = class(y)
TBar=record
class function f
  class  procedure z
program p;
interfaceX
function
procedure
x: class
interface 
T = class;
uses x;
  T = record end;
t.x = class
T<X> = class
  interface x
x = classy
x = y = record
class constructor x
procedural
a =  recordx
=class
type x = class`,
    words: `x := y <= z >= w <> v 'str' 1.5e-3 $FF a..b x^ @y
procedure Foo(a: Integer; b: string);
1+2 1-1 a-1 #13 12ab 0xff 1.2.3 .5 é == := ..
+= -= *= /= ** >< << >>`,
  },
  perl: {
    heads: `sub foo {
sub foo
package A::B;
package A {
  sub nested {
=head1 NAME
BEGIN {
sub foo;
my $x = sub {
END
=item x
sub foo($$) {
sub foo : lvalue {
package X
sub A::b {
=cut
=head2
use strict;
AUTOLOAD {
  BEGIN {
=pod
=head1
sub _x{
sub foo # c
DESTROY {
sub foo ($x) {
package A 1.2 {
package A 1.2;
BEGIN
sub f; # c
  package X;
=head11 x
=begin x
=encoding
=over
=back
=for x
INIT { 
CHECK {
UNITCHECK {
  sub x  
sub {
sub f { 1 }
sub f($;$);
sub f :x :y
sub x"y {
sub a'b {
package
packageX
sub  x
sub x  {  # c
sub x {#
sub x (a)(b)
BEGIN { # c
BEGINX
END;
=head1x
=head3 y
sub x:y{
sub x($) : y { # z
sub x ( $a ) 
sub x:y;
sub x(
sub x{}`,
    words: `$x->{a} =~ s/b/c/; @y = %z; 0xff 1.5e-3 1_000 $#a $_ @_
a=>b <=> x.=y **= ||= &&= //= .. ... ++ -- == != <= >= << >> !~ ::
A::B->c ¶{x} @{$y} %$z $x::y $1 $& 12ab 0b11 .5 1..2 1e+5 é
<=> cmp &x !x ~x ^= |= %= x= -= += *= /= <<= >>= -> =~ a.b "s" 'q' #c
@x[1] $a-1 a-1 1-1 $x{y} %x{z} $$ $0 &&x ||y <<"EOF" <<EOF <FH>`,
  },
  php: {
    heads: `function foo() {
class Foo extends Bar {
  public function bar()
abstract class A
final class B
interface I
trait T
enum E: string
namespace X;
  private static function f()
$x = function() {
  abstract protected function g();
if (x)
  final public function h()
static function
  function &f()
  const X
  class nested
  public $x;
<?php
  case X:
function
class
readonly class X
  protected function
FUNCTION x
  fn x
  private
public class
  abstract function x
  trait x
  enum X
  enum
final
  public static function
enum: x
  static public function f
interface
functionx
classy
abstract final class
abstract	class x
public class x
public  function
private protected function z
enumerate
finalclass`,
    words: String.raw`$x->y ?? $z ?-> a::b <=> 1.5e-3 0xFF $$v @x => .= ** ...
a+=b ++ -- == === != !== <> && || <<= >>= **= ??= #[A]
1-2 a-1 $a-1 "s" 'q' 12ab .5 1..2 0b11 1_000 x\y é <?php ?>
|> <<< $this->x[1] &$y -= *= /= %= &= |= ^= << >> <= >= =& 1e+5 1+1`,
  },
  python: {
    heads: `def f(x):
class A:
  async def g():
x = lambda: 1
class A
defx
@dec
  def  h
async  def x
async x
def
def 
if x:`,
    words: `x = 0xFF + 1.5e-3j **= //= y[1:2] != "s" @d -> := f"{x}"
a+=b == <= >= << >> <<= >>= <> 1_000 0b11 0o17 12L 1-2 a-1 1+1
.5 5. 1..2 a.b %= &= |= ^= -= *= /= ~x é 1e+5 12ab 1.5J 0xFFl ... and`,
  },
  ruby: {
    heads: `def foo
class A < B
module M
  def self.bar(x)
attr_reader :x
  class Nested
end
if x
defx
module
class
def
  define_method :x
private def y
class<<self
moduleX
class 
  def x; end`,
    words: String.raw`@x = :y @@z $g a? b! => <=> === =~ !~ ** .. ... 0xff 1_000 1.5e-3 ?a
x&.y a||=b &&= << <<~E :: -> #{x} "s" 'q' /r/ 12ab 0b11
+= -= *= /= %= **= |= &= ^= <<= >>= == != <= >= ! ~ a.b A::B é
:a? :b! x? y! a?b a!b :"q" ?\C-a ?\M-x 1-2 a-1 1e+5 .5 1..2 $1 $! @ x.y?`,
  },
  rust: {
    heads: `fn foo() {
pub fn foo<T>(x: T) -> U {
impl Foo {
impl<T> A for B {
struct S;
pub struct S {
enum E {
trait T {
mod m {
  pub(crate) async fn f()
macro_rules! m {
let x = fn
pub unsafe extern "C" fn f()
union U
const fn c()
type X = Y;
unsafe impl Send for X
use a::b;
  async fn g
static X
pub(in a::b) fn x
pub mod x
default fn x
fn
pub
unsafe trait X
const X: fn
extern crate x;
extern "C" {
impl
pub(crate) struct X
  enum
macro_rules! x
pub  struct  X
unsafe fn
const unsafe fn x
async unsafe fn y
pub const X
  unsafe  mod
pub(x)fn y
fn<T>
implx
extern "C" fn f()
extern fn f()
mod x;
fn f();
pub async fn
struct S { a; }
pub extern "C" fn x()
macro_rules!x
macro_rules !x`,
    words: `x::<T>::y &mut 'a 0xFFu8 1_000.5e-3f64 => -> ..= ... a+=b <<= 'c' b"s" r#"x"# #[d] m!()
a&&b||c == != <= >= << >> -= *= /= %= ^= |= &= :: .. ? @ é 1-2 a-1 1+1
1..2 1.5 .5 5. 12ab 0b11 0o17 1e5 1e+5 1E-5f32 0x 1_u8 x.0.1 r#fn
_x _1 __ 1__0 0xff_ff 1._ 12.a`,
  },
  scheme: {
    heads: `(define (foo x)
(define foo
  (define bar
(define-syntax x
(define-record-type
(library (a))
(module m
(let ((x 1)))
(class x
(defun x
(struct s
(define* (x)
(def x
(define/public (m)
(define-public x
(defx y
(def-x y
(deffoo z
(library
(module
  (struct x
(define
(begin
  (library x
 (module x
(let-syntax
(ex x
(define-values (a b) c)
(defstruct x
(define* x
(class (a)
(def
; (define x
(define! x
(definex y
  (defun z
	(define q
(def! x
(def+x y
((define x))
(define-x
(def/x y
(defsyntax x
(defclass
(defclass x
(module* x
(module+ x
(struct-x
(class* x
(library* y
(defmethod x
(defrules y
(defrecord z
(defproto a
(defalias b
(defmodule c
(definterface d
(class
[define x
( define x`,
    words: String.raw`(define (foo-bar x!) '(1 2) §(a ,b ,@c) #t #\a "s" ; c
(let* ((a? 1.5) (b->c #xff)) [d e] {f})
(|a b| c) #:key :k a|b c||d |x\|y| é "a b"
'x #'y #(1 2) #;z #| c |# a;b a'b a§b a,b a"b"c`,
  },
  tex: {
    heads: String.raw`\section{Foo}
\subsection*{Bar}
\chapter{x}
\part{y}
\paragraph{z}
text
  \section{x}
\subsubsection{q}
\sectionx{y}
\section[s]{l}
\begin{x}
\chapter*{x}
\subparagraph{x}
\part x
\section
\subsubsubsection{x}
\chapter [x]
\section*
\paragraph*{a}
\section {a}
\subchapter{x}
\subpart{x}
\chapterx{y}
\part{
\Section{x}
\section{x} y
\subsection
\subsubchapter{x}`,
    words: String.raw`\foo{bar} $x_1^2$ \\ text here % c \alpha+\beta
\section{A B} a-b \x1 \& é\"o ~ \foo@bar \@x 12.5 a1b
{a}[b]\, \! x\y "q" 'r`,
  },
};

const linesOf = (text: string) => text.replaceAll("§", "`").replaceAll("¶{", "\u0024{").split("\n");

/** Below each line so much that the next hunk does not reach it. */
function blocks(heads: string, last: string): string {
  return linesOf(heads)
    .map((head) => `${head}\n${"\t\t\t  ,\n".repeat(4)}\t\t\t ,${last}\n`)
    .join("");
}

/** Each line as often as it has letters, each time without another one. */
function shortened(words: string): { old: string; new: string } {
  const pairs = linesOf(words).flatMap((line) =>
    Array.from(line, (_, at) => [line, line.slice(0, at) + line.slice(at + 1)] as const),
  );
  const joined = (side: 0 | 1) => pairs.map((pair, i) => `${pair[side]}\n( ${i} )\n`).join("");
  return { old: joined(0), new: joined(1) };
}

const names = Object.keys(samples);
const each = (file: (samples: Samples) => string, suffix: string) =>
  Object.fromEntries(names.map((name) => [`${name}.${suffix}`, file(samples[name] as Samples)]));

export const diffDrivers: Scenario[] = [
  {
    name: "built-in drivers",
    steps: [
      "git init -q",
      { write: { ".gitattributes": names.map((name) => `${name}.* diff=${name}\n`).join("") } },
      {
        write: {
          ...each(({ heads }) => blocks(heads, "old"), "heads"),
          ...each(({ words }) => shortened(words).old, "words"),
        },
      },
      "git add .",
      {
        write: {
          ...each(({ heads }) => blocks(heads, "new"), "heads"),
          ...each(({ words }) => shortened(words).new, "words"),
        },
      },
      ...names.map((name) => `git diff -U1 ${name}.heads`),
      ...names.map((name) => `git diff --word-diff=porcelain -U0 ${name}.words`),
      { git: ["grep", "-p", "-n", "4", "--", "python.heads"] },
    ],
  },
];
