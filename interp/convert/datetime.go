package convert

import (
	"math"
	"strings"
	"time"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// moment is a point in time: the days since 1899-12-31 and the nanoseconds of the
// day.
type moment struct{ day, ns int64 }

// dayLength is the number of nanoseconds of a day.
const dayLength = 86400 * int64(1e9)

// The first and the last day that a date may have: ¯4713-01-01 and 4000-02-28 in
// timestamps, 9999-12-31 elsewhere.
var (
	firstDay = dayOf(-4713, 1, 1)
	yearOne  = dayOf(1, 1, 1)
	lastDay  = dayOf(9999, 12, 31)
)

// dayOf returns the number of a day of the proleptic Gregorian calendar.
func dayOf(y, m, d int64) int64 {
	if m <= 2 {
		y--
		m += 12
	}
	era := floorOf(y, 400)
	year := y - era*400
	return era*146097 + year*365 + year/4 - year/100 + (153*(m-3)+2)/5 + d - 1 - 719468 + UnixDay
}

// civil returns the date of a day.
func civil(day int64) (y, m, d int64) {
	z := day - UnixDay + 719468
	era := floorOf(z, 146097)
	z -= era * 146097
	year := (z - z/1460 + z/36524 - z/146096) / 365
	z -= 365*year + year/4 - year/100
	k := (5*z + 2) / 153
	d = z - (153*k+2)/5 + 1
	if m = k + 3; m > 12 {
		m -= 12
		year++
	}
	return year + era*400, m, d
}

func floorOf(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

// clock returns the hour, the minute, the second and the rest in nanoseconds.
func (t moment) clock() (h, m, s, ns int64) {
	s = t.ns / 1e9
	return s / 3600, s / 60 % 60, s % 60, t.ns % 1e9
}

// isoWeek returns the year and the number of the week, and the day of it from 1.
func (t moment) isoWeek() (year, week, weekday int64) {
	weekday = weekdayOf(t.day)
	thursday := t.day - weekday + 4
	year, _, _ = civil(thursday)
	return year, (thursday-dayOf(year, 1, 1))/7 + 1, weekday
}

// weekdayOf returns 1 for Monday to 7 for Sunday.
func weekdayOf(day int64) int64 { return day - 1 - floorOf(day-1, 7)*7 + 1 }

// moved adds nanoseconds.
func moved(day, ns int64) moment {
	k := floorOf(ns, dayLength)
	return moment{day + k, ns - k*dayLength}
}

// timeNumber is a type of time numbers: days with a fraction, where unit is 0, or
// ticks of unit nanoseconds, since a day and a part of it.
type timeNumber struct {
	epoch    int64
	ns, unit int64
	negative bool
}

// timeNumbers are the types of time numbers by their codes.
var timeNumbers = map[int]timeNumber{
	1:  {epoch: 0, negative: true},
	10: {dayOf(2000, 1, 1), 0, 1, true}, 11: {dayOf(2024, 1, 1), 0, 1e6, true}, 12: {UnixDay, 0, 1e6, true},
	13: {epoch: UnixDay, negative: true}, 14: {dayOf(2001, 1, 1), 0, 1e6, true},
	15: {UnixDay, 0, 1e3, true}, 16: {UnixDay, 0, 1, true}, 17: {dayOf(1900, 1, 1), 0, 1e3, false},
	20: {UnixDay, 0, 1e9, true}, 21: {dayOf(1980, 1, 1), 0, 4e3, false}, 22: {dayOf(1582, 10, 15), 0, 1, false},
	31: {dayOf(1601, 1, 1), 0, 100, false}, 32: {yearOne, 0, 100, false}, 33: {epoch: -1, negative: true},
	41: {epoch: dayOf(1904, 1, 1)}, 42: {dayOf(1960, 1, 1), 0, 1e6, true}, 43: {dayOf(1582, 10, 14), 0, 1e9, false},
	44: {dayOf(1960, 1, 1), 0, 1e9, true},
	50: {epoch: -2415020, ns: dayLength / 2}, 51: {epoch: dayOf(1800, 1, 1)}, 52: {epoch: dayOf(1858, 11, 16), ns: dayLength / 2, negative: true},
	53: {epoch: dayOf(1858, 11, 17), negative: true}, 54: {epoch: 0, ns: dayLength / 2, negative: true},
	55: {epoch: dayOf(1950, 1, 1), negative: true}, 56: {epoch: dayOf(1958, 1, 1), negative: true},
	70: {dayOf(1978, 1, 1), 0, 1e6, false},
}

// UnixDay is the day number of 1970-01-01.
const UnixDay = 25568

// The types of time numbers that are no count.
const (
	componentTime = 2
	dosTime       = 30
	excelTime     = 40
	decimalTime   = 60
	digitTime     = 61
)

// timestampParts are the most elements of the types of timestamps.
var timestampParts = map[int]int{-1: 7, -2: 7, -3: 7, -10: 6, -11: 7, -20: 2, -30: 4}

func knownTime(code int) bool {
	_, ok := timeNumbers[code]
	return ok || timestampParts[code] > 0 || code == componentTime || code == dosTime || code == excelTime || code == decimalTime || code == digitTime
}

// DateTime is ⎕DT.
func DateTime(x, y *value.Array) (*value.Array, error) {
	if x == nil {
		return nil, prim.Errorf(diag.NoLeftArgument, "⎕DT needs a left argument")
	}
	codes, err := prim.Ints(x)
	if err != nil {
		return nil, err
	}
	if len(codes) < 1 || len(codes) > 2 || x.Rank() > 1 {
		return nil, prim.Errorf(diag.WrongLength, "the left argument of ⎕DT is one or two types of dates")
	}
	from, to := 0, int(codes[len(codes)-1])
	if len(codes) == 2 {
		from = int(codes[0])
	}
	if len(codes) == 2 && !knownTime(from) || to != 0 && !knownTime(to) {
		return nil, prim.Errorf(diag.WrongDomain, "%s is no type of dates", prim.Plain(x, 10))
	}
	now := time.Now()
	n := y.Len()
	if n == 0 {
		return y, nil
	}
	items := value.NewBuilder(n)
	for i := range n {
		t, ok := readTime(y.Item(i), from, now)
		r := value.Truth(ok)
		if to != 0 {
			if r = nil; ok {
				r = t.as(to)
			}
			if r == nil {
				return nil, prim.Errorf(diag.WrongDomain, "an element of ⎕DT is no date of this type")
			}
		}
		items.Add(r)
	}
	return items.Array(y.Shape), nil
}

// readTime reads an element: a timestamp, a time number, or the letter of a zone;
// code is its type, 0 the usual one.
func readTime(v *value.Array, code int, now time.Time) (moment, bool) {
	if v.Kind == value.Char {
		return zoneTime(v, now)
	}
	if v.Kind > value.Double || v.Rank() > 1 {
		return moment{}, false
	}
	if v.Rank() == 0 && (code == 0 || code > 0) {
		if code == 0 {
			code = 1
		}
		t, ok := fromNumber(v, code)
		return t, ok && t.day >= firstDay && t.day <= lastDay
	}
	if code == 0 {
		code = -1
	}
	if code > 0 {
		return moment{}, false
	}
	parts, err := prim.Ints(v)
	if err != nil || len(parts) > timestampParts[code] {
		return moment{}, false
	}
	t, ok := fromParts(parts, code)
	return t, ok && t.day >= yearOne && t.day <= dayOf(4000, 2, 28)
}

// zoneTime is the time now in a zone.
func zoneTime(v *value.Array, now time.Time) (moment, bool) {
	if v.Rank() != 0 {
		return moment{}, false
	}
	offset := strings.IndexRune("YXWVUTSRQPON ABCDEFGHIKLM", v.Chars[0]) - 12
	switch c := v.Chars[0]; {
	case c == 'J':
		_, seconds := now.Zone()
		return moved(UnixDay, now.UnixNano()+int64(seconds)*1e9), true
	case c == 'Z':
		offset = 0
	case offset == -13 || c == ' ':
		return moment{}, false
	}
	return moved(UnixDay, now.UnixNano()+int64(offset)*3600e9), true
}

// fromNumber reads a time number.
func fromNumber(v *value.Array, code int) (moment, bool) {
	x := v.Double(0)
	if math.Abs(x) > 1e21 {
		return moment{}, false
	}
	switch code {
	case componentTime:
		return fromDays(UnixDay, 0, x/60/86400), true
	case dosTime, digitTime:
		if x < 0 || x != math.Trunc(x) || x > 1e15 {
			return moment{}, false
		}
		return fromEncoded(int64(x), code)
	case decimalTime:
		date := math.Floor(x)
		clock := math.Round((x - date) * 1e6)
		return fromEncoded(int64(date)*1e6+int64(clock), digitTime)
	case excelTime:
		if x < 0 || x >= 60 && x < 61 {
			return moment{}, false
		}
		if x >= 61 {
			x--
		}
		return fromDays(0, 0, x), true
	}
	t := timeNumbers[code]
	if x < 0 && !t.negative {
		return moment{}, false
	}
	if t.unit == 0 {
		if code == 33 && x < 0 {
			x = math.Ceil(x) + (math.Ceil(x) - x)
		}
		return fromDays(t.epoch, t.ns, x), true
	}
	return fromTicks(t, v), true
}

// fromDays adds days with a fraction, which is exact to a microsecond.
func fromDays(epoch, ns int64, x float64) moment {
	whole := math.Floor(x)
	part := int64(math.Round((x-whole)*86400e6)) * 1000
	return moved(epoch+int64(whole), ns+part)
}

// fromTicks adds ticks.
func fromTicks(t timeNumber, v *value.Array) moment {
	day := dayLength / t.unit
	if v.Kind <= value.Int {
		k := v.Int(0)
		return moment{t.epoch + floorOf(k, day), (k - floorOf(k, day)*day) * t.unit}
	}
	x := v.Double(0)
	days := math.Floor(x / float64(day))
	return moved(t.epoch+int64(days), int64((x-days*float64(day))*float64(t.unit)))
}

// fromEncoded reads yyyymmddhhmmss or the bits of DOS.
func fromEncoded(k int64, code int) (moment, bool) {
	if code == dosTime {
		d, c := k>>16, k&0xFFFF
		return fromParts([]int64{1980 + d>>9, d >> 5 & 15, d & 31, c >> 11, c >> 5 & 63, c & 31 * 2}, -1)
	}
	d, c := k/1e6, k%1e6
	return fromParts([]int64{d / 10000, d / 100 % 100, d % 100, c / 10000, c / 100 % 100, c % 100}, -1)
}

// fromParts reads a timestamp.
func fromParts(parts []int64, code int) (moment, bool) {
	all := []int64{1, 1, 1, 0, 0, 0, 0}
	if code == -10 {
		all = []int64{1, 1, 0, 0, 0, 0}
	}
	if code == -30 && len(parts) == 0 {
		parts = []int64{yearOne}
	}
	if code == -20 {
		all = []int64{10101, 0}
	}
	copy(all, parts)
	if code == -20 {
		return fromParts([]int64{all[0] / 10000, all[0] / 100 % 100, all[0] % 100, all[1] / 10000, all[1] / 100 % 100, all[1] % 100}, -1)
	}
	var day int64
	clock := all[len(all)-4:]
	switch code {
	case -10:
		if day = dayOf(all[0], 1, 1) + all[1] - 1; all[1] < 1 || day >= dayOf(all[0]+1, 1, 1) {
			return moment{}, false
		}
	case -11:
		first := dayOf(all[0], 1, 4)
		day = first - weekdayOf(first) + 1 + 7*(all[1]-1) + all[2] - 1
		if all[1] < 1 || all[1] > 53 || all[2] < 1 || all[2] > 7 {
			return moment{}, false
		}
	case -30:
		day, clock = parts[0], []int64{0, 0, 0, 0}
		copy(clock, parts[1:])
	default:
		day = dayOf(all[0], all[1], all[2])
		if y, m, d := civil(day); all[0] < 1 || all[1] < 1 || all[1] > 12 || y != all[0] || m != all[1] || d != all[2] {
			return moment{}, false
		}
	}
	unit := map[int]int64{-1: 1e6, -3: 1}[code]
	if unit == 0 {
		unit = 1e3
	}
	if clock[0] < 0 || clock[0] > 23 || clock[1] < 0 || clock[1] > 59 || clock[2] < 0 || clock[2] > 59 || clock[3] < 0 || clock[3] >= 1e9/unit {
		return moment{}, false
	}
	return moment{day, ((clock[0]*60+clock[1])*60+clock[2])*1e9 + clock[3]*unit}, true
}

// as returns the moment as a type, nil if that cannot be.
func (t moment) as(code int) *value.Array {
	if code < 0 {
		return t.stamp(code)
	}
	y, m, d := civil(t.day)
	h, min, s, _ := t.clock()
	switch code {
	case componentTime:
		return value.Int64((t.day-UnixDay)*86400*60 + int64(float64(t.ns)*60/1e9))
	case dosTime:
		if y < 1980 || y > 2107 {
			return nil
		}
		return value.Int64(((y-1980)<<9|m<<5|d)<<16 | h<<11 | min<<5 | s/2)
	case decimalTime:
		return value.Number(float64(y*10000+m*100+d) + float64(h*10000+min*100+s)/1e6)
	case digitTime:
		return value.Int64((y*10000+m*100+d)*1e6 + h*10000 + min*100 + s)
	}
	n := timeNumbers[code]
	if code == excelTime && t.day >= 60 {
		n.epoch = -1
	}
	if t.day < n.epoch && !n.negative {
		return nil
	}
	if n.unit > 0 {
		if x := float64(t.day-n.epoch) * float64(dayLength/n.unit); math.Abs(x) > 9e18 {
			return value.Number(x + float64(t.ns/n.unit))
		}
		return value.Int64((t.day-n.epoch)*(dayLength/n.unit) + t.ns/n.unit)
	}
	days := t.day - n.epoch
	part := float64(t.ns-n.ns) / float64(dayLength)
	if code == 33 && days < 0 && part > 0 {
		return value.Number(float64(days) - part)
	}
	return value.Number(float64(days) + part)
}

// stamp returns the moment as a timestamp.
func (t moment) stamp(code int) *value.Array {
	y, m, d := civil(t.day)
	h, min, s, ns := t.clock()
	if y < 1 {
		return nil
	}
	var parts []int64
	switch code {
	case -1:
		parts = []int64{y, m, d, h, min, s, ns / 1e6}
	case -2:
		parts = []int64{y, m, d, h, min, s, ns / 1e3}
	case -3:
		parts = []int64{y, m, d, h, min, s, ns}
	case -10:
		parts = []int64{y, t.day - dayOf(y, 1, 1) + 1, h, min, s, ns / 1e3}
	case -11:
		year, week, weekday := t.isoWeek()
		parts = []int64{year, week, weekday, h, min, s, ns / 1e3}
	case -20:
		parts = []int64{y*10000 + m*100 + d, h*10000 + min*100 + s}
	default:
		parts = []int64{t.day, h, min, s}
	}
	return value.Integers(parts)
}
