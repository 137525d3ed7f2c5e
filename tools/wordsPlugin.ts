import { createHash } from 'node:crypto'
import { dirname, relative } from 'node:path'
import type { IndexHtmlTransformContext, Plugin } from 'vite'
import { root } from '#kit/server/settings.ts'
import { languages, wordsOf } from '#kit/server/words.ts'
import { firstGroup, wordAddress, type WordAddresses } from '#kit/web/words/wordGroups.ts'
import { readWordGroups, type WordGroups } from './wordGroups.ts'

/** Where `withWords` is. */
const wording = 'src/kit/web/words/wording.ts'

/** The words of a group, as a browser gets them. */
const textOf = (keys: readonly string[], lang: (typeof languages)[number]): string => {
  const words = wordsOf(lang)
  return JSON.stringify(Object.fromEntries(keys.map((key) => [key, words[key]])))
}

/** A mark of what a group says in all languages: it changes with any word of it. */
const markOf = (keys: readonly string[]): string =>
  createHash('sha256')
    .update(languages.map((lang) => textOf(keys, lang)).join('\n'))
    .digest('hex')
    .slice(0, 10)

/** Puts the words each part asks for round its `import()`: they are fetched beside the code. */
export function withWords(text: string, path: string, groups: Pick<WordGroups, 'ofImports'>): string {
  let out = ''
  let done = 0
  for (const { at, end, groups: wanted } of groups.ofImports(path)) {
    if (wanted.length === 0) continue
    out += `${text.slice(done, at)}__withWords(${text.slice(at, end)}, ${JSON.stringify(wanted)})`
    done = end
  }
  if (done === 0) return text
  const from = relative(dirname(path), wording).replaceAll('\\', '/')
  return `${out}${text.slice(done)}\nimport { withWords as __withWords } from '${from.startsWith('.') ? from : `./${from}`}'\n`
}

type Bundle = NonNullable<IndexHtmlTransformContext['bundle']>

/** What some files stand in, beyond what the page itself names. */
function filesOf(bundle: Bundle, ...files: string[]): string[] {
  const chunks = Object.values(bundle).filter((one) => one.type === 'chunk')
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const withImports = (names: readonly string[], seen: Set<string>): Set<string> => {
    for (const name of names)
      if (!seen.has(name)) {
        seen.add(name)
        withImports(byName.get(name)?.imports ?? [], seen)
      }
    return seen
  }
  const there = withImports(
    chunks.filter((one) => one.isEntry).map((one) => one.fileName),
    new Set(),
  )
  const wanted = withImports(
    chunks
      .filter((one) => one.moduleIds.some((id) => files.some((file) => id.endsWith(file))))
      .map((one) => one.fileName),
    new Set(),
  )
  return [...wanted]
    .filter((name) => !there.has(name))
    .flatMap((name) => [name, ...(byName.get(name)?.viteMetadata?.importedCss ?? [])])
}

/**
 * Words are loaded with their screens: every group is a separate file, named by a hash of its content, and every
 * `import()` loads the groups its part uses. In development all words are one group, read again with every page.
 */
export function words(): Plugin {
  let built: WordGroups | undefined
  let addresses: WordAddresses = { marks: {}, families: {} }
  return {
    name: 'words',
    enforce: 'pre',
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const lang = languages.find((one) => request.url?.startsWith(`/assets/words/${firstGroup}.${one}-`))
        if (!lang) return next()
        response.setHeader('content-type', 'application/json')
        response.setHeader('cache-control', 'no-store')
        response.end(JSON.stringify(wordsOf(lang)))
      })
    },
    buildStart() {
      if (this.meta.watchMode || this.environment.mode !== 'build') return
      built = readWordGroups()
      addresses = {
        marks: Object.fromEntries([...built.groups].map(([group, keys]) => [group, markOf(keys)])),
        families: Object.fromEntries(
          [...built.groups.keys()].flatMap((group) => {
            const names = [...built!.families].flatMap(([name, groups]) =>
              groups.includes(group) ? [name] : [],
            )
            return names.length ? [[group, names.join(' ')]] : []
          }),
        ),
      }
      for (const [group, keys] of built.groups)
        for (const lang of languages)
          this.emitFile({
            type: 'asset',
            fileName: wordAddress(group, addresses.marks[group]!, lang).slice(1),
            source: textOf(keys, lang),
          })
    },
    transform(code, id) {
      const path = relative(root, id).replaceAll('\\', '/')
      return built?.parts.includes(path) ? { code: withWords(code, path, built), map: null } : undefined
    },
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle }) => {
        const said = bundle
          ? {
              ...addresses,
              first: {
                waysIn: filesOf(bundle, '/entrance/web/LogIn.tsx'),
                home: filesOf(bundle, '/home/web/Home.tsx', '/src/webFeatures.tsx'),
                others: filesOf(bundle, '/src/webFeatures.tsx'),
              },
            }
          : { marks: { [firstGroup]: Date.now().toString(16) }, families: {} }
        return html.replace(/(<script id="words"[^>]*>)/, (tag) => tag + JSON.stringify(said))
      },
    },
  }
}
