import { groupIban } from '#domain/iban.ts'
import { scriptOf, scriptOfLanguage } from '#domain/script.ts'
import type { Company } from './endpoints.ts'

type Languages = Pick<Company, 'language' | 'languages'>
type Details = Pick<Company, 'name' | 'street' | 'city' | 'bankDetails'>

/** What the business is called in a language of documents other than its own; undefined before that was asked. */
export const detailsIn = (
  { languages }: Languages,
  language: string,
): Company['languages'][number] | undefined => languages.find((one) => one.language === language)

/**
 * The business as documents and letters in a language show it. What is left empty in that language is shown as it is
 * in the business's own.
 */
export function companyIn<T extends Languages & Details>(company: T, language: string): T {
  const there = language === company.language ? undefined : detailsIn(company, language)
  if (!there) return company
  return {
    ...company,
    name: there.name || company.name,
    street: there.street || company.street,
    city: there.city || company.city,
    bankDetails: there.bankDetails || company.bankDetails,
  }
}

/**
 * Whether the person who issues a document in this language is asked for the business's details first: none are kept
 * for it, and the business's own are written in another script. A Hebrew name serves a Hebrew document, whatever
 * language its owner works in.
 */
export const lacksDetailsIn = (company: Languages & Details, language: string): boolean =>
  language !== company.language &&
  detailsIn(company, language) === undefined &&
  [company.name, company.street ?? '', company.city ?? ''].some((text) => {
    const script = scriptOf(text)
    return script !== undefined && script !== scriptOfLanguage(language)
  })

interface Account {
  bankDetails?: string | undefined
  iban?: string | undefined
  swift?: string | undefined
}

const letters = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase()

/** The account that money from abroad goes to, as far as the bank details in words do not name it already. */
export function accountRows({
  bankDetails = '',
  iban,
  swift,
}: Account): { label: 'SWIFT' | 'IBAN'; value: string }[] {
  const said = letters(bankDetails)
  return [
    ...(swift && !said.includes(swift) ? [{ label: 'SWIFT' as const, value: swift }] : []),
    ...(iban && !said.includes(iban) ? [{ label: 'IBAN' as const, value: groupIban(iban) }] : []),
  ]
}

/** Where money is sent, in lines: the bank details in words, and the account where money comes from abroad. */
export const transferText = (account: Account, isFromAbroad: boolean): string =>
  [
    account.bankDetails ?? '',
    ...(isFromAbroad ? accountRows(account).map(({ label, value }) => `${label} ${value}`) : []),
  ]
    .filter((line) => line.trim() !== '')
    .join('\n')
