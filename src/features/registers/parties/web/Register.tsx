import { CircleCheck, Link2Off } from 'lucide-react'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { isTaxId } from '#domain/taxId.ts'
import { call, fieldErrors, useCall } from '#kit/web/calls/call.ts'
import { EmailField, PhoneField, TaxIdField } from '#kit/web/fields/ContactFields.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { BusinessPage } from '#kit/web/public/BusinessPage.tsx'
import { Lead } from '#kit/web/public/Lead.tsx'
import { problemOf } from '#kit/web/screens/checks.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { registerMyself, registrationLogo, registrationPage } from '../endpoints.ts'
import './parties.css'

const empty = {
  name: '',
  nameOnDocument: '',
  taxId: '',
  email: '',
  mobile: '',
  street: '',
  city: '',
  zip: '',
}
type Values = typeof empty

/** The form by which customers register with a business; the key in the address identifies the business. */
export function Screen() {
  const t = useWords()
  const key = usePlace().params.key ?? ''
  const asked = useCall(registrationPage, { key }, { refetchOnWindowFocus: false, staleTime: 10 * 60_000 })
  const [isDone, setDone] = useState(false)
  const titleFor = (name: string) => t('customers.register.title', { name })
  return (
    <BusinessPage
      narrow
      asked={asked}
      pageKey={key}
      logo={registrationLogo}
      title={() => t('screens.createCustomer')}
      missing={{
        icon: Link2Off,
        title: t('customers.register.notFound'),
        text: t('customers.register.notFoundText'),
      }}
    >
      {({ business: { name } }) =>
        isDone ? (
          <div role="status">
            <EmptyState icon={CircleCheck} title={t('customers.register.done')}>
              {t('customers.register.doneText', { name })}
            </EmptyState>
          </div>
        ) : (
          <Lead label={titleFor(name)} title={titleFor(name)}>
            <p className="sub">{t('customers.register.text')}</p>
            <Form business={name} linkKey={key} onDone={() => setDone(true)} />
          </Lead>
        )
      }
    </BusinessPage>
  )
}

function Form({ business, linkKey, onDone }: { business: string; linkKey: string; onDone: () => void }) {
  const t = useWords()
  const form = useRef<HTMLFormElement>(null)
  const [values, setValues] = useState<Values>(empty)
  const [consents, setConsents] = useState(false)
  const [errors, setErrors] = useState<Partial<Record<keyof Values, string>>>({})
  const [rest, setRest] = useState<string>()
  const [busy, setBusy] = useState(false)
  const field = (name: keyof Values) => ({
    name,
    label: t(`customers.fields.${name}`),
    value: values[name],
    onChange: (value: string) => {
      setValues((old) => ({ ...old, [name]: value }))
      setErrors(({ [name]: _, ...others }) => others)
    },
    ...(errors[name] ? { error: errors[name] } : {}),
  })
  const refuse = (next: Partial<Record<keyof Values, string>>) => {
    flushSync(() => setErrors(next))
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }
  const wrong = (): Partial<Record<keyof Values, string>> => {
    const mail = problemOf({ kind: 'email' }, values.email)
    const phone = problemOf({ kind: 'phone' }, values.mobile)
    return {
      ...(values.name.trim() === '' ? { name: t('errors.fields.need') } : {}),
      ...(values.taxId.trim() !== '' && !isTaxId(values.taxId) ? { taxId: t('errors.fields.taxId') } : {}),
      ...(mail ? { email: t(`errors.fields.${mail.code}`) } : {}),
      ...(phone ? { mobile: t(`errors.fields.${phone.code}`) } : {}),
    }
  }
  const send = async () => {
    const found = wrong()
    if (Object.keys(found).length > 0) return refuse(found)
    setBusy(true)
    setRest(undefined)
    try {
      await call(registerMyself, { key: linkKey, ...values, consents })
      onDone()
    } catch (e) {
      const said = fieldErrors(t, e, Object.keys(empty))
      setRest(said.rest)
      if (Object.keys(said.fields).length > 0) refuse(said.fields)
      setBusy(false)
    }
  }
  return (
    <form
      ref={form}
      className="pa-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) void send()
      }}
    >
      {rest && <Note tone="late">{rest}</Note>}
      <TextField
        {...field('name')}
        label={t('customers.register.name')}
        autoComplete="name"
        max={200}
        autoFocus
      />
      <div className="pa-pair">
        <TextField
          {...field('nameOnDocument')}
          hint={t('customers.hints.nameOnDocument')}
          autoComplete="organization"
          max={200}
          optional
        />
        <TaxIdField {...field('taxId')} hint={t('customers.hints.taxId')} optional />
        <EmailField {...field('email')} optional />
        <PhoneField {...field('mobile')} optional />
        <TextField {...field('street')} autoComplete="street-address" max={120} optional />
        <TextField {...field('city')} autoComplete="address-level2" max={80} optional />
        <TextField {...field('zip')} autoComplete="postal-code" max={10} ltr optional />
      </div>
      <FlagField
        name="consents"
        label={t('customers.register.consent', { name: business })}
        hint={t('customers.register.consentHint')}
        value={consents}
        onChange={setConsents}
      />
      <Button kind="primary" type="submit" size="l" wide busy={busy}>
        {t('customers.register.send')}
      </Button>
      <p className="hint text-13">{t('customers.register.privacy', { name: business })}</p>
    </form>
  )
}
