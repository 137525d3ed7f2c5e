import { countryCode } from '#domain/countries.ts'

const euro = new Set(
  'AD AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MC ME MT NL PT SI SK SM VA XK'.split(' '),
)
const own: Readonly<Record<string, string>> = {
  AU: 'AUD',
  CA: 'CAD',
  CH: 'CHF',
  DK: 'DKK',
  EG: 'EGP',
  GB: 'GBP',
  JO: 'JOD',
  JP: 'JPY',
  LI: 'CHF',
  NO: 'NOK',
  SE: 'SEK',
  ZA: 'ZAR',
}

/** The currency that documents to a country are usually in, of those that are offered; dollars where that is open. */
export function currencyFor(country: unknown): string {
  const code = countryCode(typeof country === 'string' ? country : '')
  return code && euro.has(code) ? 'EUR' : ((code && own[code]) ?? 'USD')
}

type Values = Readonly<Record<string, unknown>>

/** What the one switch brings along: another language than Hebrew, a currency and zero rate. Its ground is chosen. */
export const whenAbroad = (isAbroad: boolean, { language, currency, country }: Values) =>
  isAbroad
    ? {
        isAbroad,
        language: language && language !== 'he' ? language : 'en',
        currency: currency || currencyFor(country),
        zeroRate: true,
      }
    : { isAbroad, currency: null, zeroRate: false, zeroGround: null, hidesIls: false }

/** Another country brings its currency, unless another one was chosen. */
export const whenCountry = (country: unknown, { isAbroad, currency, country: before }: Values) =>
  isAbroad && currency === currencyFor(before) ? { country, currency: currencyFor(country) } : { country }
