// From Node 24.19 on, node::ObjectWrap removes a clean-up hook in its destructor, and Node aborts if the garbage collector
// runs it: better-sqlite3 12 dies with its first collected statement. Compiled with `-include` of this file, it has no hook.
#include <node.h>
#define AddEnvironmentCleanupHook(...) static_cast<void>(0)
#define RemoveEnvironmentCleanupHook(...) static_cast<void>(0)
#include <node_object_wrap.h>
#undef AddEnvironmentCleanupHook
#undef RemoveEnvironmentCleanupHook
