import { useState } from 'react'
import type { LanguageCode } from '#domain/languages.ts'
import { call, putAnswer } from '#kit/web/calls/call.ts'
import { languageNames } from '#kit/web/fields/SmallChoices.tsx'
import { LongText, TextField } from '#kit/web/fields/TextField.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { getCompany, setCompanyLanguage, type Company } from '../endpoints.ts'
import { detailsIn } from '../inLanguage.ts'

interface LanguageDialogProps {
  company: Company
  language: LanguageCode
  /** Of the button that keeps what was filled in. */
  verb: string
  /** Of the button that has the details printed as they are; without one they may be left empty and kept. */
  asIs?: string
  onClose: () => void
  /** The business as it is kept now; the dialog is closed by the page that opened it. */
  onDone: (company: Company) => unknown
}

const nothing = { name: '', street: '', city: '', bankDetails: '' }

/** What the business is called in a language of documents that is not its own, and the account for money from abroad. */
export function LanguageDialog({ company, language, verb, asIs, onClose, onDone }: LanguageDialogProps) {
  const t = useWords()
  const [details, setDetails] = useState({ ...nothing, ...detailsIn(company, language) })
  const [account, setAccount] = useState({ iban: company.iban, swift: company.swift })
  const keep = async (kept: typeof nothing & Partial<typeof account>) => {
    const { name, street, city, bankDetails, iban, swift } = kept
    const answer = await call(setCompanyLanguage, {
      language,
      name,
      street,
      city,
      bankDetails,
      ...(iban === undefined ? {} : { iban }),
      ...(swift === undefined ? {} : { swift }),
    })
    putAnswer(getCompany, {}, answer)
    await onDone(answer)
  }
  const put = (change: Partial<typeof details>) => setDetails({ ...details, ...change })
  return (
    <FormDialog
      title={t('companies.languages.title', { language: languageNames[language] })}
      verb={verb}
      names={['name', 'street', 'city', 'bankDetails', 'iban', 'swift']}
      onClose={onClose}
      onSubmit={() => keep({ ...details, ...account })}
      {...(asIs ? { other: { label: asIs, onPress: () => keep(nothing) } } : {})}
    >
      {(error) => (
        <>
          <p className="sub">{t('companies.languages.text')}</p>
          <TextField
            label={t('companies.fields.name')}
            name="name"
            value={details.name}
            onChange={(name) => put({ name })}
            placeholder={company.name}
            max={120}
            {...error('name', details.name)}
          />
          <TextField
            label={t('companies.fields.street')}
            name="street"
            optional
            value={details.street}
            onChange={(street) => put({ street })}
            placeholder={company.street}
            max={120}
            {...error('street', details.street)}
          />
          <TextField
            label={t('companies.fields.city')}
            name="city"
            optional
            value={details.city}
            onChange={(city) => put({ city })}
            placeholder={company.city}
            max={80}
            {...error('city', details.city)}
          />
          <LongText
            label={t('companies.fields.bankDetails')}
            optional
            rows={2}
            max={500}
            value={details.bankDetails}
            onChange={(bankDetails) => put({ bankDetails })}
            hint={t('companies.languages.bankHint')}
            {...error('bankDetails', details.bankDetails)}
          />
          <TextField
            label={t('companies.fields.iban')}
            name="iban"
            optional
            ltr
            value={account.iban}
            onChange={(iban) => setAccount({ ...account, iban })}
            max={42}
            {...error('iban', account.iban)}
          />
          <TextField
            label={t('companies.fields.swift')}
            name="swift"
            optional
            ltr
            value={account.swift}
            onChange={(swift) => setAccount({ ...account, swift })}
            max={16}
            {...error('swift', account.swift)}
          />
        </>
      )}
    </FormDialog>
  )
}
