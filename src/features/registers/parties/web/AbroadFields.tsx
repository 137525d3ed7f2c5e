import type { LanguageCode } from '#domain/languages.ts'
import { groundsOffered, zeroGrounds } from '#domain/vat/grounds.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { CurrencyField, LanguageField } from '#kit/web/fields/SmallChoices.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { whenAbroad, whenCountry } from '../abroad.ts'

/** What a customer has who is not abroad. */
export const homely = {
  isAbroad: false,
  country: '',
  /** As new customers have it; not sent. */
  language: null as LanguageCode | null,
  currency: null as string | null,
  zeroRate: false,
  zeroGround: null as string | null,
  hidesIls: false,
}

interface AbroadFieldsProps {
  values: typeof homely
  put: (change: Partial<typeof homely>) => void
  errors: Readonly<Record<string, string | undefined>>
  /** A business without VAT has no zero rate either. */
  hasVat: boolean
}

/** The same on a short form: one tick, and behind it what it brings. */
export function AbroadFields({ values, put, errors, hasVat }: AbroadFieldsProps) {
  const t = useWords()
  const set = (change: object) => put(change as Partial<typeof homely>)
  return (
    <>
      <FlagField
        label={t('customers.fields.isAbroad')}
        value={values.isAbroad}
        onChange={(isAbroad) => set(whenAbroad(isAbroad, values))}
        hint={t('customers.hints.isAbroad')}
      />
      {values.isAbroad && (
        <>
          <TextField
            label={t('customers.fields.country')}
            name="country"
            value={values.country}
            onChange={(country) => set(whenCountry(country, values))}
            error={errors.country}
            max={60}
          />
          <LanguageField
            label={t('customers.fields.language')}
            value={values.language}
            onChange={(language) => put({ language })}
            error={errors.language}
          />
          <CurrencyField
            label={t('customers.fields.currency')}
            value={values.currency}
            onChange={(currency) => put({ currency })}
            error={errors.currency}
          />
          {hasVat && (
            <ChoiceField
              label={t('customers.fields.zeroGround')}
              hint={t('customers.hints.zeroGround')}
              value={values.zeroGround}
              onChange={(zeroGround) => put({ zeroGround })}
              error={errors.zeroGround}
              choices={groundsOffered(zeroGrounds, values.zeroGround).map((value) => ({
                value,
                label: t(`customers.zeroGround.${value}`),
              }))}
            />
          )}
        </>
      )}
    </>
  )
}
