import { use, useEffect, useReducer, useState, useSyncExternalStore } from 'react'
import { detectLanguage, directionOf, languageFrom, langXmlNumber } from './language.ts'
import { start } from '../start.ts'
import { store } from '../session/storage.ts'
import { addressesOnPage, fetchWords, makeWordGroups } from './wordGroups.ts'
import { wordEvents, type Language } from './words.tsx'

/** The brand of this domain as getTranslateDe answers it: the product's own, or a dealer's white label. */
export interface Brand {
  iconlogo: string
  iconmenu: string
  name: string
  iconApp: string
  secureIcon: string
  profileIcon: string
  isDealer: boolean
  styleurl: string
  logo: string
  /** Whom to ask under a white label; empty otherwise. */
  support: string
  /** Words of the white label's own, by key. */
  words: Readonly<Record<string, string>>
}

export interface Wording {
  lang: Language
  /** Undefined until the words have arrived: no route is shown before. */
  dic: Record<string, string> | undefined
  brand: Brand
  /** The words could not be had, and none are kept. */
  failed: boolean
}

const plainBrand: Brand = {
  iconlogo: '',
  iconmenu: '',
  name: 'Pinkas',
  iconApp: '',
  secureIcon: '',
  profileIcon: '',
  isDealer: false,
  styleurl: '',
  logo: '',
  support: '',
  words: {},
}

/** The look of a white label: its style sheet over ours, its mark on the tab. */
function wear({ isDealer, styleurl, iconlogo }: Brand): void {
  const find = (rel: string, own: string) =>
    document.head.querySelector<HTMLLinkElement>(`link[rel="${rel}"]${own}`)
  const style = find('stylesheet', '[data-brand]')
  if (!isDealer || !styleurl) style?.remove()
  else if (style?.getAttribute('href') !== styleurl) {
    const link = style ?? document.createElement('link')
    link.rel = 'stylesheet'
    link.dataset.brand = ''
    link.setAttribute('href', styleurl)
    document.head.append(link)
  }
  const [icon, ...others] = document.head.querySelectorAll<HTMLLinkElement>('link[rel="icon"]')
  if (isDealer && iconlogo && icon && icon.getAttribute('href') !== iconlogo) {
    // A browser takes the one it likes best: none of ours may stay.
    for (const other of others) other.remove()
    icon.removeAttribute('type')
    icon.removeAttribute('sizes')
    icon.setAttribute('href', iconlogo)
  }
}

let now: Wording = { lang: 'he', dic: undefined, brand: plainBrand, failed: false }
const listeners = new Set<() => void>()

function put(next: Wording): void {
  now = next
  if (typeof document !== 'undefined') {
    document.documentElement.lang = next.lang
    document.documentElement.dir = directionOf(next.lang)
    wear(next.brand)
  }
  for (const listener of listeners) listener()
}

export const wordingNow = (): Wording => now
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Language, words and brand as they are now. */
export const useWording = (): Wording => useSyncExternalStore(subscribe, wordingNow, wordingNow)

/** The brand of this domain: the product's own, or a dealer's white label. */
export const useBrand = (): Brand => useWording().brand

export type FetchBrand = (lang: Language, domain: string) => Promise<Brand>
let fetchBrand: FetchBrand = () => Promise.reject(new Error('not started'))
let turn = 0

const groups = makeWordGroups({ addresses: addressesOnPage(), fetch: fetchWords }, () => now.lang)

/** Fetches groups of words, of the language that is shown. */
export const needWords = groups.need
/** Fetches groups before they are needed. */
export const wordsAhead = groups.ahead
export const arrivedWords = groups.arrived

/**
 * A part of the application and the words it asks for, together. The build puts it round every `import()`
 * (tools/wordsPlugin.ts).
 * @public
 */
export const withWords = <T>(part: Promise<T>, wanted: readonly string[]): Promise<T> =>
  Promise.all([part, groups.need(wanted)]).then(([module]) => module)

/**
 * For what shows things it does not name (a described list, a line of the log): their words, should they not
 * have come with the screen. Called while a component draws itself, which waits for them. Of a name with dots
 * its first part counts.
 */
export function useWordsOf(...families: readonly string[]): void {
  for (const family of families) for (const arrives of groups.missingOf(family.split('.')[0]!)) use(arrives)
}

/**
 * Whether the words of these families are here. They are fetched when they are not, and what is drawn already
 * stays: it is drawn again when they have come.
 */
export function useWordsHere(...families: readonly string[]): boolean {
  const missing = families.flatMap((family) => groups.missingOf(family.split('.')[0]!))
  const [failed, setFailed] = useState<unknown>()
  const [, again] = useReducer((n: number) => n + 1, 0)
  const isHere = missing.length === 0
  const key = families.join(' ')
  useEffect(() => {
    let isWanted = !isHere
    if (isWanted)
      Promise.all(missing).then(
        () => isWanted && again(),
        (e: unknown) => isWanted && setFailed(e),
      )
    return () => void (isWanted = false)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the same groups are missing as long as the same are asked for
  }, [isHere, key])
  if (failed !== undefined) throw failed
  return isHere
}

// A missing word was used by a part that the build did not foresee: it is reported, so that it is corrected, and loaded
// all the same.
const toldUnknown = new Set<string>()
wordEvents.unknown = (lang, key) => {
  if (toldUnknown.has(`${lang} ${key}`)) return
  toldUnknown.add(`${lang} ${key}`)
  console.error(`No word for ${key} in ${lang}`)
  const [arrives, ...more] = groups.missingOf(key.slice(0, key.indexOf('.')))
  if (arrives)
    void Promise.all([arrives, ...more])
      .then(() => lang === now.lang && put({ ...now, dic: groups.renew(lang) }))
      .catch(() => undefined)
}

interface Kept {
  lang: Language
  brand: Brand
}

/**
 * The brand of the last visit lets the next one begin at once, or without a network; the fresh one follows
 * behind.
 */
function kept(lang: Language): Brand | undefined {
  try {
    const held = JSON.parse(store.get('brand') ?? 'null') as Kept | null
    return held?.lang === lang ? held.brand : undefined
  } catch {
    return undefined
  }
}

/** The page's own script has asked before this one was there. */
const askedEarly = (lang: Language): Promise<Brand> | undefined => {
  const early = (globalThis as { early?: { lang: string; brand: Promise<Brand> } }).early
  return early?.lang === lang ? early.brand : undefined
}

async function brandOf(lang: Language): Promise<Brand> {
  const brand = await (askedEarly(lang) ?? Promise.reject(new Error('not asked'))).catch(() =>
    fetchBrand(lang, location.hostname),
  )
  store.set('brand', JSON.stringify({ lang, brand } satisfies Kept))
  return { ...plainBrand, ...brand }
}

/** Fetches a language and puts it in place when it has arrived; the latest asked for wins. */
async function load(lang: Language): Promise<void> {
  const mine = ++turn
  const known = kept(lang)
  const brand = brandOf(lang)
  brand.catch(() => undefined)
  try {
    // Words of other groups come with what is shown of them; what came into use while the brand was on its
    // way comes before the language is shown, too.
    const [shown] = await Promise.all([known ?? brand, groups.complete(lang)])
    await groups.complete(lang)
    if (mine !== turn) return
    put({ lang, dic: groups.dicOf(lang), brand: { ...plainBrand, ...shown }, failed: false })
  } catch {
    if (mine !== turn) return
    if (!now.dic) put({ ...now, lang, failed: true })
    else if (now.lang !== lang) throw new Error('the language did not arrive')
    return
  }
  if (!known) return
  const fresh = await brand.catch(() => undefined)
  if (fresh && mine === turn && JSON.stringify(fresh) !== JSON.stringify(now.brand))
    put({ ...now, brand: fresh })
}

/**
 * Chooses the language and fetches its words; ends when they are here, or cannot be had. `publicPage`: the
 * address is shown to visitors nobody knows.
 */
export function startWording(fetching: FetchBrand, publicPage: boolean): Promise<void> {
  fetchBrand = fetching
  const lang = detectLanguage({
    asked: start.lang,
    kept: store.get('langXmlNumber'),
    browser: navigator.languages,
    publicPage,
  })
  // Whole dictionaries were kept here once.
  store.drop('words')
  put({ ...now, lang })
  return load(lang).catch(() => undefined)
}

/** Asks again after a failed start. */
export function retryWording(): void {
  put({ ...now, failed: false })
  void load(now.lang).catch(() => undefined)
}

/**
 * Changes the language for good: kept, fetched, then shown. Rejects when the words do not arrive; the old
 * ones stay.
 */
export async function changeLanguage(lang: Language): Promise<void> {
  if (lang === now.lang && now.dic) return
  await load(lang)
  store.set('langXmlNumber', String(langXmlNumber[lang]))
}

/** Whether the person has chosen a language, here or in the address. */
export const languageChosen = (): boolean =>
  languageFrom(start.lang ?? store.get('langXmlNumber')) !== undefined
