/** The languages of the product and the numeric ids old clients send. */
export const languageIds = { he: 359, en: 139, ar: 15, ru: 606, fr: 282 } as const
export type LanguageCode = keyof typeof languageIds

export const languageById = (id: number): LanguageCode | undefined =>
  (Object.keys(languageIds) as LanguageCode[]).find((code) => languageIds[code] === id)
