/** Where somebody is paid, or paid from: one thing in five fields. */
export const bankFields = ['bankCode', 'bankBranch', 'bankAccount', 'bankAccountName', 'iban'] as const

export interface BankDetails {
  bankCode: number | null
  bankBranch: string | null
  bankAccount: string | null
  bankAccountName: string | null
  /** Of an account abroad; that of an account here follows from the others. */
  iban: string | null
}
