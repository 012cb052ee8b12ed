/* Preloaded (LD_PRELOAD): delays every fsync and fdatasync of the process by SLOW_SYNC_MS milliseconds. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

static int synced(const char *name, int fd) {
  const char *value = getenv("SLOW_SYNC_MS");
  long ms = value ? atol(value) : 0;
  struct timespec delay = {ms / 1000, (ms % 1000) * 1000000L};
  nanosleep(&delay, 0);
  return ((int (*)(int))dlsym(RTLD_NEXT, name))(fd);
}

int fsync(int fd) { return synced("fsync", fd); }
int fdatasync(int fd) { return synced("fdatasync", fd); }
