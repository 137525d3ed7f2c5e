import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '#kit/server/settings.ts'
import { allScreens } from '../tools/screens.ts'

/** Paths that no screen has and that are right: files and calls of the server. */
const served = /^\/(api|assets|help\/|f\/|p\/|icons?\/|favicon|manifest)/

/** The beginning of a page that a key follows. */
const pageOfKey = /((?:registerBusinessPage|registerOwnPage|registerShortcut)\('[^']+)'/g

/**
 * Every path written in the code of screens, and every link the server sends them, with `$` for what is inserted. A
 * link composed elsewhere is not found here; where a name follows at once (`/invoice/report${name}`), only the part
 * before it is known.
 */
function linksIn(text: string): { path: string; whole: boolean }[] {
  // The content of ${…} is removed first, so that quotes in it end nothing.
  let flat = text
  for (let before = ''; before !== flat;) {
    before = flat
    flat = flat.replace(/\$\{[^{}]*\}/g, '\u0001')
  }
  return [...flat.matchAll(/(['"`])(\/[A-Za-z][^'"`\s]*)\1/g)].map(([, , link]) => {
    const path = link!.replace(/[?#].*$/, '').replace(/(?<=[^/])\u0001$/, '')
    const whole = !/[^/]\u0001|\u0001[^/]/.test(path)
    return { path: path.replaceAll('\u0001', '$'), whole: whole && path === link!.replace(/[?#].*$/, '') }
  })
}

test('every link leads to a screen', async () => {
  const patterns = (await allScreens()).map(({ path }) => path.toLowerCase().split('/'))
  const leads = (path: string, whole: boolean): boolean => {
    const parts = path.toLowerCase().split('/')
    return patterns.some((of) =>
      whole
        ? of.length === parts.length &&
          of.every((part, i) => part.startsWith('$') || part === parts[i] || parts[i] === '$')
        : of.join('/').startsWith(path.toLowerCase().replace(/\$.*$/, '')),
    )
  }
  const folder = join(root, 'src/features')
  const lost = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|endpoints\.ts$/.test(file))
    .flatMap((file) =>
      linksIn(readFileSync(join(folder, file), 'utf8').replace(pageOfKey, (_, page) => `${page}/$'`))
        .filter(({ path }) => !served.test(path))
        .filter(({ path, whole }) => !leads(path, whole))
        .map(({ path }) => `${file}: ${path}`),
    )
  expect(lost).toEqual([])
})
