/* format.c: text by a driver's formats (wdm_rtl.h says which), into characters of 1 or 2 bytes.
 *
 * The format is walked once; each conversion makes a piece in a small buffer, or takes a text, and
 * `piece` pads it. Source: "Format specification syntax"; %wZ, %Z, %! from the driver reference.
 */
#include "kit/state.h"

struct out {
    void *to;
    size_t size, length; /* characters: room, and what all of it needs */
    bool wide;
};

struct spec {
    bool minus, plus, space, hash, zero;
    int width, precision; /* precision -1: not given */
    enum { PLAIN, SHORT_, BYTE_, LONG_LONG, WIDE } size;
    char conversion;
};

struct in {
    const void *format;
    size_t at;
    bool wide;
    va_list arguments;
};

static WCHAR at(const struct in *in, size_t ahead)
{
    return in->wide ? ((const WCHAR *)in->format)[in->at + ahead]
                    : (WCHAR)((const unsigned char *)in->format)[in->at + ahead];
}

static void put(struct out *out, WCHAR c)
{
    if (out->length + 1 < out->size) {
        if (out->wide)
            ((WCHAR *)out->to)[out->length] = c;
        else
            ((char *)out->to)[out->length] =
                c < 0x80 || c > 0xFF ? (char)(c < 0x80 ? c : '?') : (char)c;
    }
    out->length++;
}

static void pad(struct out *out, int count, WCHAR c)
{
    while (count-- > 0)
        put(out, c);
}

/* A text of `length` characters, padded to the width. */
static void put_text(struct out *out, const struct spec *spec, const void *text, bool wide,
                     size_t length)
{
    int left = spec->width - (int)length;

    if (!spec->minus)
        pad(out, left, ' ');
    for (size_t i = 0; i < length; i++)
        put(out, wide ? ((const WCHAR *)text)[i] : (WCHAR)((const unsigned char *)text)[i]);
    if (spec->minus)
        pad(out, left, ' ');
}

static void put_ended(struct out *out, const struct spec *spec, const void *text, bool wide)
{
    size_t limit = spec->precision < 0 ? SIZE_MAX : (size_t)spec->precision, length = 0;

    if (!text) {
        text = "(null)";
        wide = false;
    }
    while (length < limit &&
           (wide ? ((const WCHAR *)text)[length] : ((const unsigned char *)text)[length]))
        length++;
    put_text(out, spec, text, wide, length);
}

/* ---- numbers ---- */

static void put_number(struct out *out, const struct spec *spec, uint64_t value, bool negative,
                       unsigned base)
{
    const char *digits = spec->conversion == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
    char buffer[72], sign[3] = "";
    int count = 0, precision = spec->precision < 0 ? 1 : spec->precision;

    for (; value; value /= base)
        buffer[count++] = digits[value % base];
    if (negative)
        strcpy(sign, "-");
    else if (spec->conversion == 'd' && (spec->plus || spec->space))
        strcpy(sign, spec->plus ? "+" : " ");
    else if (spec->hash && base == 16 && count > 0)
        strcpy(sign, spec->conversion == 'X' ? "0X" : "0x");
    if (spec->zero && !spec->minus && spec->precision < 0 &&
        spec->width - (int)strlen(sign) > precision)
        precision = spec->width - (int)strlen(sign);
    int zeros = precision > count ? precision - count : 0;
    int left = spec->width - zeros - count - (int)strlen(sign);
    if (!spec->minus)
        pad(out, left, ' ');
    for (const char *s = sign; *s; s++)
        put(out, (WCHAR)*s);
    pad(out, zeros, '0');
    while (count > 0)
        put(out, (WCHAR)buffer[--count]);
    if (spec->minus)
        pad(out, left, ' ');
}

static void convert_number(struct out *out, const struct spec *spec, struct in *in)
{
    bool is_signed = spec->conversion == 'd';
    unsigned base = spec->conversion == 'o'                              ? 8
                    : spec->conversion == 'x' || spec->conversion == 'X' ? 16
                                                                         : 10;
    int64_t value =
        spec->size == LONG_LONG ? va_arg(in->arguments, long long) : va_arg(in->arguments, int);

    if (spec->size == SHORT_)
        value = is_signed ? (short)value : (unsigned short)value;
    else if (spec->size == BYTE_)
        value = is_signed ? (signed char)value : (unsigned char)value;
    else if (spec->size != LONG_LONG && !is_signed)
        value = (uint32_t)value;
    bool negative = is_signed && value < 0;
    put_number(out, spec, negative ? 0 - (uint64_t)value : (uint64_t)value, negative, base);
}

/* ---- texts ---- */

static void convert_counted(struct out *out, const struct spec *spec, struct in *in)
{
    bool wide = spec->size == WIDE || spec->size == LONG_LONG;
    const UNICODE_STRING *text = va_arg(in->arguments, const UNICODE_STRING *);

    if (!text || !text->Buffer)
        put_ended(out, spec, NULL, false);
    else
        put_text(out, spec, text->Buffer, wide, wide ? text->Length / 2u : text->Length);
}

static void convert_text(struct out *out, const struct spec *spec, struct in *in)
{
    bool wide = spec->conversion == 'S' ? !in->wide : in->wide;

    if (spec->size == WIDE)
        wide = true;
    else if (spec->size == SHORT_)
        wide = false;
    put_ended(out, spec, va_arg(in->arguments, const void *), wide);
}

static void convert_guid(struct out *out, const GUID *guid)
{
    char text[40] = "(null)";

    if (guid)
        snprintf(text, sizeof(text), "{%08x-%04x-%04x-%02x%02x-%02x%02x%02x%02x%02x%02x}",
                 guid->Data1, guid->Data2, guid->Data3, guid->Data4[0], guid->Data4[1],
                 guid->Data4[2], guid->Data4[3], guid->Data4[4], guid->Data4[5], guid->Data4[6],
                 guid->Data4[7]);
    for (const char *c = text; *c; c++)
        put(out, (WCHAR)*c);
}

/* Whether the trace's own line says the field already; then it takes no argument. */
static bool is_trace_field(const char *name)
{
    static const char *const fields[] = {"FUNC", "LINE",     "FILE",    "LEVEL", "FLAGS",
                                         "MOD",  "COMPNAME", "SUBCOMP", "TYP",   "STDPREFIX"};

    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
        if (strcmp(name, fields[i]) == 0)
            return true;
    return false;
}

/* %!NAME!: do the work of the trace preprocessor. */
static void convert_trace(struct out *out, struct in *in)
{
    static const struct spec plain = {.precision = -1, .conversion = 'x', .hash = true};
    char name[16] = "";
    size_t length = 0;

    for (in->at++; at(in, 0) && at(in, 0) != '!'; in->at++)
        if (length + 1 < sizeof(name))
            name[length++] = (char)at(in, 0);
    if (at(in, 0) == '!')
        in->at++;
    if (strcmp(name, "STATUS") == 0 || strcmp(name, "HRESULT") == 0)
        put_number(out, &plain, va_arg(in->arguments, unsigned), false, 16);
    else if (strcmp(name, "GUID") == 0)
        convert_guid(out, va_arg(in->arguments, const GUID *));
    else if (!is_trace_field(name))
        vidmm_kit_find(NULL, VIDMM_KIT_BAD_FORMAT, "%%!%s!", name);
}

/* ---- a conversion ---- */

static int read_count(struct in *in)
{
    int count = 0;

    if (at(in, 0) == '*') {
        in->at++;
        return va_arg(in->arguments, int);
    }
    while (at(in, 0) >= '0' && at(in, 0) <= '9' && count < 100000)
        count = count * 10 + (at(in, 0) - '0'), in->at++;
    return count;
}

static void read_flags(struct in *in, struct spec *spec)
{
    for (;; in->at++) {
        switch (at(in, 0)) {
        case '-':
            spec->minus = true;
            continue;
        case '+':
            spec->plus = true;
            continue;
        case ' ':
            spec->space = true;
            continue;
        case '#':
            spec->hash = true;
            continue;
        case '0':
            spec->zero = true;
            continue;
        default:
            return;
        }
    }
}

/* A `long` of a driver has 32 bits: l alone changes numbers not at all, and texts to wide ones. */
static void read_size(struct in *in, struct spec *spec)
{
    switch (at(in, 0)) {
    case 'h':
        spec->size = at(in, 1) == 'h' ? BYTE_ : SHORT_;
        in->at += spec->size == BYTE_ ? 2 : 1;
        break;
    case 'l':
        spec->size = at(in, 1) == 'l' ? LONG_LONG : WIDE;
        in->at += spec->size == LONG_LONG ? 2 : 1;
        break;
    case 'w':
        spec->size = WIDE;
        in->at++;
        break;
    case 'z':
    case 't':
    case 'j':
        spec->size = LONG_LONG;
        in->at++;
        break;
    case 'I':
        spec->size = LONG_LONG;
        if (at(in, 1) == '3' && at(in, 2) == '2')
            spec->size = PLAIN;
        in->at += (at(in, 1) == '3' && at(in, 2) == '2') || (at(in, 1) == '6' && at(in, 2) == '4')
                      ? 3
                      : 1;
        break;
    default:
        break;
    }
}

static void convert_character(struct out *out, const struct spec *spec, struct in *in)
{
    WCHAR c = (WCHAR)va_arg(in->arguments, int);

    put_text(out, spec, &c, true, 1);
}

static void convert_pointer(struct out *out, struct spec *spec, struct in *in)
{
    spec->conversion = 'X';
    spec->precision = 16;
    put_number(out, spec, (uintptr_t)va_arg(in->arguments, void *), false, 16);
}

static void convert_float(struct out *out, const struct spec *spec, struct in *in)
{
    char text[64];
    int length = snprintf(text, sizeof(text), "%.*f", spec->precision < 0 ? 6 : spec->precision,
                          va_arg(in->arguments, double));

    put_text(out, spec, text, false, length < 64 ? (size_t)length : 63);
}

static void convert(struct out *out, struct in *in)
{
    struct spec spec = {.precision = -1};

    if (at(in, 0) == '!') {
        convert_trace(out, in);
        return;
    }
    read_flags(in, &spec);
    spec.width = read_count(in);
    if (spec.width < 0)
        spec.minus = true, spec.width = -spec.width;
    if (at(in, 0) == '.') {
        in->at++;
        spec.precision = read_count(in);
    }
    read_size(in, &spec);
    spec.conversion = (char)at(in, 0);
    if (spec.conversion)
        in->at++;
    switch (spec.conversion) {
    case 'i':
        spec.conversion = 'd'; /* fall through */
    case 'd':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
        convert_number(out, &spec, in);
        break;
    case 'c':
    case 'C':
        convert_character(out, &spec, in);
        break;
    case 's':
    case 'S':
        convert_text(out, &spec, in);
        break;
    case 'Z':
        convert_counted(out, &spec, in);
        break;
    case 'p':
        convert_pointer(out, &spec, in);
        break;
    case 'e':
    case 'f':
    case 'g':
        convert_float(out, &spec, in);
        break;
    case '%':
        put(out, '%');
        break;
    default:
        vidmm_kit_find(NULL, VIDMM_KIT_BAD_FORMAT, "%%%c", spec.conversion ? spec.conversion : '?');
        break;
    }
}

size_t vidmm_kit_format(void *to, size_t size, bool wide, const void *format, va_list arguments)
{
    struct out out = {to, size, 0, wide};
    struct in in = {.format = format, .wide = wide};

    vidmm_kit_stack_enter();
    va_copy(in.arguments, arguments);
    while (at(&in, 0)) {
        WCHAR c = at(&in, 0);
        in.at++;
        if (c == '%')
            convert(&out, &in);
        else
            put(&out, c);
    }
    va_end(in.arguments);
    if (size) {
        size_t end = out.length < size ? out.length : size - 1;
        if (wide)
            ((WCHAR *)to)[end] = 0;
        else
            ((char *)to)[end] = 0;
    }
    return out.length;
}
