import { CircleCheck, Link2Off } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { call, useCall } from '#kit/web/calls/call.ts'
import { EmailField, PhoneField } from '#kit/web/fields/ContactFields.tsx'
import { FieldMessage } from '#kit/web/fields/Field.tsx'
import { LongText, TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { useAction } from '#kit/web/parts/useAction.ts'
import { usePlace } from '#kit/web/routes/place.ts'
import { BusinessPage } from '#kit/web/public/BusinessPage.tsx'
import { Lead } from '#kit/web/public/Lead.tsx'
import { work } from '#kit/web/public/work.ts'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import { InventedInput } from '#kit/web/fields/InventedInput.tsx'
import { formLogo, formPage, sendForm } from '../endpoints.ts'
import './leads.css'

/** The form of a source on a separate page: the target of a link or a campaign. */
export function Screen() {
  const t = useWords()
  const { lang } = useLanguage()
  const { params, query } = usePlace()
  const key = params.key ?? ''
  const asked = useCall(formPage, { key, lang }, { refetchOnWindowFocus: false, staleTime: 60 * 60_000 })
  const [thanks, setThanks] = useState<string>()
  return (
    <BusinessPage
      narrow
      asked={asked}
      pageKey={key}
      logo={formLogo}
      title={() => t('screens.leadForm')}
      missing={{ icon: Link2Off, title: t('leads.form.missing'), text: t('leads.form.missingText') }}
    >
      {(data) =>
        thanks ? (
          <div role="status">
            <EmptyState icon={CircleCheck} title={thanks} />
          </div>
        ) : (
          <Lead label={data.business.name} title={t('leads.form.title', { name: data.business.name })}>
            <Form
              of={data}
              pageKey={key}
              campaign={query.campaign ?? query.utm_campaign ?? ''}
              onDone={setThanks}
            />
          </Lead>
        )
      }
    </BusinessPage>
  )
}

type Shown = OutputOf<typeof formPage>

function Form({
  of,
  pageKey,
  campaign,
  onDone,
}: {
  of: Shown
  pageKey: string
  campaign: string
  onDone: (thanks: string) => void
}) {
  const t = useWords()
  const [name, setName] = useState('')
  const [phone, setPhone] = useState('')
  const [email, setEmail] = useState('')
  const [message, setMessage] = useState('')
  const [website, setWebsite] = useState('')
  const [own, setOwn] = useState<Record<string, string | number | boolean | null>>({})
  const proof = useRef<Promise<string>>(undefined)
  useEffect(() => {
    proof.current ??= work(of.challenge, of.bits)
  }, [of])
  const { busy, rest, error, run, place } = useAction(
    ['name', 'phone', 'email', 'message', 'own'],
    async () => {
      const { thanks } = await call(sendForm, {
        key: pageKey,
        name: name.trim(),
        phone,
        email: email.trim(),
        message,
        campaign: campaign.slice(0, 80),
        own,
        website,
        challenge: of.challenge,
        proof: (await proof.current) ?? '',
      })
      onDone(thanks)
    },
  )
  return (
    <form ref={place} onSubmit={run} noValidate className="grid gap-4">
      {rest && <Note tone="late">{rest}</Note>}
      <TextField
        label={t('leads.form.name')}
        value={name}
        onChange={setName}
        autoComplete="name"
        max={200}
        {...error('name', name)}
      />
      <PhoneField
        label={t('leads.form.phone')}
        value={phone}
        onChange={(next) => setPhone(next ?? '')}
        {...error('phone', phone)}
      />
      <EmailField
        label={t('leads.form.email')}
        optional
        value={email}
        onChange={(next) => setEmail(next ?? '')}
        {...error('email', email)}
      />
      {of.fields.map((field) => (
        <InventedInput
          key={field.id}
          field={field}
          value={own[field.id] ?? null}
          onChange={(next) => setOwn((old) => ({ ...old, [field.id]: next === '' ? null : next }))}
        />
      ))}
      {error('own', own).error && <FieldMessage error={error('own', own).error!} />}
      <LongText
        label={t('leads.form.message')}
        optional
        value={message}
        onChange={setMessage}
        max={5000}
        rows={4}
        {...error('message', message)}
      />
      <div className="ld-trap" aria-hidden>
        <input
          name="website"
          tabIndex={-1}
          autoComplete="off"
          value={website}
          onChange={(event) => setWebsite(event.target.value)}
        />
      </div>
      <Button kind="primary" size="l" type="submit" busy={busy} wide>
        {t('leads.form.send')}
      </Button>
    </form>
  )
}
