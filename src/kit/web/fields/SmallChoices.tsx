import { useLanguage, useWords } from '../words/words.tsx'
import { ChoiceField } from './ChoiceField.tsx'
import type { FieldProps } from './Field.tsx'
import type { LanguageCode } from '#domain/languages.ts'

/** Each in its own letters, so that a reader finds it whatever is shown now. */
export const languageNames: Record<LanguageCode, string> = {
  he: 'עברית',
  en: 'English',
  ar: 'العربية',
  ru: 'Русский',
  fr: 'Français',
}
const languages = (Object.keys(languageNames) as LanguageCode[]).map((value) => ({
  value,
  label: languageNames[value],
}))

/** One of the five languages. */
export const LanguageField = (props: FieldProps<LanguageCode | null>) => (
  <ChoiceField {...props} choices={languages} />
)

/** The currencies an Israeli business meets, the commonest first. */
export const currencies = [
  'ILS',
  'USD',
  'EUR',
  'GBP',
  'CHF',
  'JPY',
  'CAD',
  'AUD',
  'JOD',
  'EGP',
  'SEK',
  'NOK',
  'DKK',
  'ZAR',
] as const

/** A currency by code and name; the names come from the browser's own dictionary. */
export function CurrencyField(props: FieldProps<string | null>) {
  const { lang } = useLanguage()
  const names = new Intl.DisplayNames([lang], { type: 'currency' })
  return (
    <ChoiceField
      {...props}
      choices={currencies.map((value) => ({ value, label: `${names.of(value) ?? ''} ${value}` }))}
    />
  )
}

/** Yes, no, or any: the filter of a flag. */
export function YesNo(props: FieldProps<boolean | null>) {
  const t = useWords()
  return (
    <ChoiceField
      {...props}
      inputRef={undefined}
      value={props.value === null ? null : props.value ? 'yes' : 'no'}
      onChange={(value) => props.onChange(value === null ? null : value === 'yes')}
      clearable
      choices={[
        { value: 'yes', label: t('kit.flag.yes') },
        { value: 'no', label: t('kit.flag.no') },
      ]}
    />
  )
}
