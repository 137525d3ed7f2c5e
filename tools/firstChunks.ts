import { relative } from 'node:path'
import { root } from '#kit/server/settings.ts'
import { readWordGroups } from './wordGroups.ts'

/** Other features' doors: the person who comes through one for a word should not carry what else is behind it. */
const isDoor = (path: string): boolean => /^src\/features\/.*\/web\/index\.tsx?$/.test(path)

/**
 * The chunks around the first screens, for vite.config.ts: a phone far from the server pays for every file
 * separately, so that the log-in pages are one piece, and home with its frame another, which builds on the first.
 */
export function firstChunks(): Record<'ofLists' | 'inHome' | 'toEnter' | 'isDoor', (id: string) => boolean> {
  const { closureOf, onOf, parts } = readWordGroups()
  const first = new Set([...closureOf('src/web.tsx'), ...closureOf('src/webFeatures.tsx')])
  const near = (ends: readonly string[]): Set<string> => {
    const found = new Set<string>()
    const walk = (path: string, throughDoor: boolean) => {
      if (found.has(path) || first.has(path)) return
      if (throughDoor && [...closureOf(path)].some(isDoor)) return
      found.add(path)
      for (const next of onOf(path)) walk(next, isDoor(path))
    }
    for (const path of parts) if (ends.some((end) => path.endsWith(end))) walk(path, false)
    return found
  }
  const home = near(['/home/web/Home.tsx', '/shell/Shell.tsx'])
  const enter = near(['/entrance/web/LogIn.tsx', '/entrance/web/SignUp.tsx'])
  const at = (id: string) => relative(root, id).replaceAll('\\', '/')
  return {
    ofLists: (id) => first.has(at(id)),
    inHome: (id) => home.has(at(id)),
    toEnter: (id) => enter.has(at(id)),
    isDoor: (id) => isDoor(at(id)),
  }
}
