import type { Wallet } from '#features/money/acquirers/acquirers.ts'
import type { PageContent } from './endpoints.ts'
import type { PageKind, PageState } from './payPages.ts'

/*
 * A payment page as its payer sees it. The server makes it of what is kept, and the editor of what is being
 * typed, so that its picture is the page.
 */

export type Language = 'he' | 'en' | 'ar' | 'ru' | 'fr'
export const languagesInOrder: readonly Language[] = ['he', 'en', 'ar', 'ru', 'fr']

export interface ShownPage {
  kind: PageKind
  state: PageState
  language: Language
  languages: Language[]
  business: { name: string; taxId: string; phone: string; email: string }
  accent: string
  logo: string
  picture: string
  title: string
  text: string
  button: string
  thanks: string
  terms: string
  sumKind: 'items' | 'free' | 'suggested'
  suggested: number[]
  leastAgorot: number | null
  mostAgorot: number | null
  mostInstalments: number
  items: {
    id: string
    name: string
    priceAgorot: number
    most: number
    left: number | null
    isFixed: boolean
  }[]
  fields: {
    key: string
    kind: PageContent['fields'][number]['kind']
    label: string
    must: boolean
    choices: string[]
  }[]
  asksEmail: 'no' | 'may' | 'must'
  asksPhone: 'no' | 'may' | 'must'
  asksTaxId: 'no' | 'may' | 'must'
  mustAgree: boolean
  takesCoupons: boolean
  placesLeft: number | null
  /** What goes on after the first charge; null where nothing does. */
  plan: {
    everyN: number
    billingDay: number
    chargeToday: boolean
    firstPriceAgorot: number | null
    trialDays: number
    times: number | null
  } | null
  /** Payment methods with a separate button beside the card. */
  wallets: Wallet[]
  /** Cards are taken; `test`: by the test acquirer, and no money moves. */
  online: boolean
  test: boolean
}

/** The number left is shown when it is low. */
const fewLeft = 20

export interface Around {
  language: Language
  state: PageState
  business: ShownPage['business']
  brandAccent: string
  logo: string
  picture: string
  placesLeft: number | null
  /** How many of a thing are left; null: as many as one likes. */
  leftOf: (itemId: string) => number | null
  online: boolean
  test: boolean
  wallets: Wallet[]
}

/** The language a page is shown in: the one asked for where it has it, else its own. */
export const languageFor = (
  content: Pick<PageContent, 'language' | 'texts'>,
  asked: string | undefined,
): Language => {
  const found = languagesInOrder.find((one) => one === asked)
  return found && content.texts[found]?.title ? found : content.language
}

const said = <T>(of: Partial<Record<Language, T>>, language: Language, own: Language): T | undefined =>
  of[language] ?? of[own] ?? Object.values(of)[0]

export function shownPage(content: PageContent, around: Around): ShownPage {
  const { language } = around
  const own = content.language
  const words = said(content.texts, language, own)
  return {
    kind: content.kind,
    state: around.state,
    language,
    languages: languagesInOrder.filter((one) => content.texts[one]?.title),
    business: around.business,
    accent: content.accent || around.brandAccent,
    logo: around.logo,
    picture: around.picture,
    title: words?.title ?? '',
    text: words?.text ?? '',
    button: words?.button ?? '',
    thanks: words?.thanks ?? '',
    terms: words?.terms ?? '',
    sumKind: content.sumKind,
    suggested: content.suggested,
    leastAgorot: content.leastAgorot ?? null,
    mostAgorot: content.mostAgorot ?? null,
    mostInstalments: content.kind === 'charge' ? content.mostInstalments : 1,
    items: content.items.map((item) => {
      const left = around.leftOf(item.id)
      return {
        id: item.id,
        name: said(item.names, language, own) ?? '',
        priceAgorot: item.priceAgorot,
        most: left === null ? item.mostQuantity : Math.min(item.mostQuantity, left),
        left: left !== null && left <= fewLeft ? left : null,
        isFixed: item.isFixed,
      }
    }),
    fields: content.fields.map(({ key, kind, labels, must, choices }) => ({
      key,
      kind,
      label: said(labels, language, own) ?? '',
      must,
      choices: said(choices, language, own) ?? [],
    })),
    asksEmail: content.asksEmail,
    asksPhone: content.asksPhone,
    asksTaxId: content.asksTaxId,
    mustAgree: content.mustAgree,
    takesCoupons: content.takesCoupons && content.sumKind === 'items',
    placesLeft: around.placesLeft !== null && around.placesLeft <= fewLeft ? around.placesLeft : null,
    plan:
      content.kind === 'subscription'
        ? {
            everyN: content.everyN,
            billingDay: content.billingDay,
            chargeToday: content.chargeToday,
            firstPriceAgorot: content.firstPriceAgorot ?? null,
            trialDays: content.trialDays,
            times: content.times ?? null,
          }
        : null,
    // Only money that is taken at once: a wallet keeps no card and sets nothing aside.
    wallets: content.kind === 'charge' ? around.wallets : [],
    online: around.online,
    test: around.test,
  }
}

/** What a coupon made of a basket, as the server answered. */
export interface CouponGiven {
  code: string
  discountAgorot: number
  totalAgorot: number
  firstOnly: boolean
}

/** What is charged now, and each time that follows where something does. */
export function chargesOf(
  plan: Pick<NonNullable<ShownPage['plan']>, 'firstPriceAgorot'> | null,
  grossAgorot: number,
  coupon: CouponGiven | undefined,
): { nowAgorot: number; everyAgorot: number } {
  const everyAgorot = coupon && !coupon.firstOnly ? grossAgorot - coupon.discountAgorot : grossAgorot
  const first = plan?.firstPriceAgorot
  return { nowAgorot: coupon?.totalAgorot ?? Math.min(first ?? grossAgorot, grossAgorot), everyAgorot }
}
