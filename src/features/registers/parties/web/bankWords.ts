import { banks, isBankCode } from '#domain/bankAccount.ts'
import { israeliIban } from '#domain/iban.ts'
import type { Choice } from '#kit/web/fields/ChoiceField.tsx'
import type { Words } from '#kit/web/words/words.tsx'
import type { BankDetails } from '../bank.ts'

/** The name of a bank, with its code as on cheques; the code alone when the bank is not on the list. */
export const bankText = (t: Words, code: number): string =>
  isBankCode(code) ? `${t(`ledger.banks.${banks[code]}`)} (${code})` : String(code)

export const bankChoices = (t: Words): readonly Choice[] =>
  Object.keys(banks).map((code) => ({ value: code, label: bankText(t, Number(code)) }))

/** The international number of an account: its own abroad, made of bank, branch and account here. */
export function ibanOf({ iban, bankCode, bankBranch, bankAccount }: Partial<BankDetails>): string | null {
  if (iban) return iban
  return bankCode && bankBranch && bankAccount ? israeliIban(bankCode, bankBranch, bankAccount) : null
}
