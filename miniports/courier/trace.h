// trace.h: the messages that this driver logs by WPP.
//
// A source includes its own .tmh behind this header. On Windows the WPP preprocessor writes that
// file; the kit writes it too, from the same comments below, so that the log goes where DbgPrint
// goes.
#pragma once

#define WPP_CONTROL_GUIDS                                                                          \
    WPP_DEFINE_CONTROL_GUID(CourierTrace, (6d1b1c5e, 2f0c, 4c57, 9b1e, 0a4de1c0d7a2),              \
                            WPP_DEFINE_BIT(LIFE) WPP_DEFINE_BIT(WORK))

#define WPP_LEVEL_FLAGS_LOGGER(Level, Flags) WPP_LEVEL_LOGGER(Flags)
#define WPP_LEVEL_FLAGS_ENABLED(Level, Flags)                                                      \
    (WPP_LEVEL_ENABLED(Flags) && WPP_CONTROL(WPP_BIT_##Flags).Level >= Level)

// begin_wpp config
// FUNC TraceError{LEVEL=TRACE_LEVEL_ERROR}(FLAGS, MSG, ...);
// FUNC TraceLife{LEVEL=TRACE_LEVEL_INFORMATION, FLAGS=LIFE}(MSG, ...);
// FUNC TraceWork{LEVEL=TRACE_LEVEL_VERBOSE, FLAGS=WORK}(MSG, ...);
// end_wpp
