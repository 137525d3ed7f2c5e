import { useSyncExternalStore } from 'react'
import { detectLanguage, directionOf, flattenDictionary, languageFrom, langXmlNumber } from './language.ts'
import { start } from './start.ts'
import { store } from './storage.ts'
import type { Language } from './words.tsx'

/** The answer of getTranslateDe: the words, and the brand of the domain. */
export interface Translation {
  dic: Record<string, Record<string, string>>
  iconlogo: string
  iconmenu: string
  name: string
  iconApp: string
  secureIcon: string
  profileIcon: string
  isDealer: boolean
  styleurl: string
  logo: string
}

export type Brand = Omit<Translation, 'dic'>

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
}

/** The look of a white label: its style sheet over ours, its mark on the tab. */
function wear({ isDealer, styleurl, iconlogo }: Brand): void {
  const find = (rel: string, own: string) => document.head.querySelector<HTMLLinkElement>(`link[rel="${rel}"]${own}`)
  const style = find('stylesheet', '[data-brand]')
  if (!isDealer || !styleurl) style?.remove()
  else if (style?.getAttribute('href') !== styleurl) {
    const link = style ?? document.createElement('link')
    link.rel = 'stylesheet'
    link.dataset.brand = ''
    link.setAttribute('href', styleurl)
    document.head.append(link)
  }
  const icon = find('icon', '')
  if (isDealer && iconlogo && icon && icon.getAttribute('href') !== iconlogo) {
    icon.removeAttribute('type')
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

export type FetchTranslation = (lang: Language, domain: string) => Promise<Translation>
let fetchTranslation: FetchTranslation = () => Promise.reject(new Error('not started'))
let turn = 0

interface Kept {
  lang: Language
  translation: Translation
}

/** The words of the last visit let the next one begin at once, or without a network; fresh ones follow behind. */
function kept(lang: Language): Translation | undefined {
  try {
    const held = JSON.parse(store.get('words') ?? 'null') as Kept | null
    return held?.lang === lang && held.translation?.dic ? held.translation : undefined
  } catch {
    return undefined
  }
}

const said = (lang: Language, { dic, ...brand }: Translation, extra: Record<string, string>): Wording => ({
  lang,
  dic: { ...extra, ...flattenDictionary(dic) },
  brand: { ...plainBrand, ...brand },
  failed: false,
})

/** Fetches a language and puts it in place when it has arrived; the latest asked for wins. */
async function load(lang: Language): Promise<void> {
  const mine = ++turn
  const extra = languageFile(lang)
  try {
    const translation = await fetchTranslation(lang, location.hostname)
    const wording = said(lang, translation, await extra)
    if (mine !== turn) return
    if (JSON.stringify(wording) !== JSON.stringify(now)) put(wording)
    store.set('words', JSON.stringify({ lang, translation } satisfies Kept))
  } catch {
    if (mine !== turn) return
    if (!now.dic) put({ ...now, lang, failed: true })
    else if (now.lang !== lang) throw new Error('the language did not arrive')
  }
}

/** /static/lang/{lang}.json: the sentences of validation, in case the dictionary lacks them. Its failure is silent. */
async function languageFile(lang: Language): Promise<Record<string, string>> {
  try {
    const answer = await fetch(`/static/lang/${lang}.json`)
    const { Validations = {} } = (await answer.json()) as { Validations?: Record<string, string> }
    return Object.fromEntries(Object.entries(Validations).map(([code, text]) => [`errors.fields.${code}`, text]))
  } catch {
    return {}
  }
}

/** Chooses the language and fetches its words. `publicPage`: the address is shown to visitors nobody knows. */
export function startWording(fetching: FetchTranslation, publicPage: boolean): void {
  fetchTranslation = fetching
  const lang = detectLanguage({ asked: start.lang, kept: store.get('langXmlNumber'), browser: navigator.languages, publicPage })
  const before = kept(lang)
  put(before ? said(lang, before, {}) : { ...now, lang })
  void load(lang).catch(() => undefined)
}

/** Asks again after a failed start. */
export function retryWording(): void {
  put({ ...now, failed: false })
  void load(now.lang).catch(() => undefined)
}

/** Changes the language for good: kept, fetched, then shown. Rejects when the words do not arrive; the old ones stay. */
export async function changeLanguage(lang: Language): Promise<void> {
  if (lang === now.lang && now.dic) return
  await load(lang)
  store.set('langXmlNumber', String(langXmlNumber[lang]))
}

/** Whether the person has chosen a language himself, here or in the address. */
export const languageChosen = (): boolean => languageFrom(start.lang ?? store.get('langXmlNumber')) !== undefined
