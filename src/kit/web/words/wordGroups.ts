/*
 * Words travel in groups: one before anything is shown, the others beside the code that asks for them.
 * tools/wordGroups.ts works out which part of the application asks for which groups, tools/wordsPlugin.ts
 * writes it into every `import()`, and the page says under which mark of its content each group is to be had,
 * so that a browser keeps it for good.
 */

/** What the page says, in its element `words`. */
export interface WordAddresses {
  /** The mark of each group's content. */
  marks: Record<string, string>
  /** First parts of keys by group, with blanks between them: the names of described things among them. */
  families: Record<string, string>
}

/** The words of the frame and of the first screens. */
export const firstGroup = 'base'

export const wordAddress = (group: string, mark: string, lang: string): string =>
  `/assets/words/${group}.${lang}-${mark}.json`

export interface WordGround {
  addresses: WordAddresses
  fetch: (address: string) => Promise<Record<string, string>>
}

/** Keeps the words that have arrived; `current` says which language is shown. */
export function makeWordGroups<Language extends string>(
  { addresses, fetch }: WordGround,
  current: () => Language,
) {
  const dics = new Map<Language, Record<string, string>>()
  const coming = new Map<string, Promise<void>>()
  const here = new Set<string>()
  // What code that is here asks for: it may be shown again at any time, in any language.
  const inUse = new Set<string>([firstGroup])
  const homes = new Map<string, string[]>()
  for (const [group, names] of Object.entries(addresses.families))
    for (const name of names.split(' ')) homes.set(name, [...(homes.get(name) ?? []), group])

  const dicOf = (lang: Language): Record<string, string> => {
    const known = dics.get(lang)
    if (known) return known
    const fresh = {}
    dics.set(lang, fresh)
    return fresh
  }

  /**
   * Fetches a group once. Words join the dictionary that is there: nothing on the screen asks for them yet.
   */
  function bring(lang: Language, group: string): Promise<void> {
    const mark = addresses.marks[group]
    if (mark === undefined) return Promise.resolve()
    const address = wordAddress(group, mark, lang)
    const known = coming.get(address)
    if (known) return known
    const arrives = fetch(address).then(
      (words) => {
        Object.assign(dicOf(lang), words)
        here.add(address)
      },
      (e: unknown) => {
        coming.delete(address)
        throw e
      },
    )
    coming.set(address, arrives)
    return arrives
  }
  const isHere = (lang: Language, group: string): boolean => {
    const mark = addresses.marks[group]
    return mark === undefined || here.has(wordAddress(group, mark, lang))
  }

  /** All groups in use, in a language; those that came into use meanwhile, too. */
  async function complete(lang: Language): Promise<void> {
    for (
      let missing = [...inUse];
      missing.length > 0;
      missing = [...inUse].filter((group) => !isHere(lang, group))
    )
      await Promise.all(missing.map((group) => bring(lang, group)))
  }

  return {
    dicOf,
    complete,
    /** Groups in the language that is shown, whichever it is when they have come. */
    async need(groups: readonly string[]): Promise<void> {
      for (const group of groups) inUse.add(group)
      for (
        let missing = groups;
        missing.length > 0;
        missing = groups.filter((group) => !isHere(current(), group))
      ) {
        const lang = current()
        await Promise.all(missing.map((group) => bring(lang, group)))
      }
    },
    /** Puts groups into the browser's cache; they are not in use yet. */
    ahead: (groups: readonly string[]): Promise<unknown> =>
      Promise.all(groups.map((group) => bring(current(), group))),
    /** What is missing of the words that begin so, each as its arrival. */
    missingOf(family: string): Promise<void>[] {
      const lang = current()
      return (homes.get(family) ?? [])
        .filter((group) => !isHere(lang, group))
        .map((group) => {
          inUse.add(group)
          return bring(lang, group)
        })
    },
    /** Another object with the same words, so that who looks them up looks again. */
    renew(lang: Language): Record<string, string> {
      const fresh = { ...dicOf(lang) }
      dics.set(lang, fresh)
      return fresh
    },
    /** The addresses of what has arrived. */
    arrived: (): readonly string[] => [...here],
  }
}

/** What the page says of its words; nothing where there is no page (tests). */
export function addressesOnPage(): WordAddresses {
  const said = typeof document === 'undefined' ? undefined : document.getElementById('words')?.textContent
  return said ? (JSON.parse(said) as WordAddresses) : { marks: {}, families: {} }
}

/** Loads a group; a failure is reported as that of code is, and may be retried. */
export async function fetchWords(address: string): Promise<Record<string, string>> {
  try {
    const answer = await fetch(address)
    if (!answer.ok) throw new Error(String(answer.status))
    return (await answer.json()) as Record<string, string>
  } catch (e) {
    throw new Error(`Words did not come: ${address}`, { cause: e })
  }
}
