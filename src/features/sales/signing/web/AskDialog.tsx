import { Send } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { addDays } from '#domain/day.ts'
import { queryClient, useCall } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { EmailField, PhoneField } from '#kit/web/fields/ContactFields.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { LongText, TextField } from '#kit/web/fields/TextField.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { go } from '#kit/web/routes/place.ts'
import { callsOf } from '#kit/web/screens/resources.ts'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { customers } from '#features/registers/parties/customers.ts'
import { getSignSettings } from '../endpoints.ts'
import { channels, identities, type AskGiven } from '../shapes.ts'
import './signing.css'

export interface AskDialogProps {
  title: string
  /** Said above the form. */
  text?: string
  /** Whose name and addresses stand in the form when it opens. */
  customerId?: string | undefined
  /** What the form begins with, of somebody who is no customer. */
  start?: Start
  /** Names of further fields, at which a refusal may stand. */
  names?: readonly string[]
  ask: (given: AskGiven) => Promise<{ id: string; url?: string }>
  onClose: () => void
  children?: (refusal: (name: string, value: unknown) => { error?: string }) => ReactNode
}

/** One signer for one paper: the same question wherever a signature is asked for. */
export function AskDialog(props: AskDialogProps) {
  const { customerId } = props
  const { data, isLoading } = useCall(
    callsOf(customers).get,
    { id: customerId ?? '' },
    { enabled: customerId !== undefined, retry: false },
  )
  // The form begins with what is known of the customer.
  if (customerId && isLoading) return null
  return (
    <Form
      {...props}
      start={
        props.start ?? {
          name: String(data?.contact || data?.name || '').slice(0, 120),
          email: String(data?.email ?? ''),
          phone: String(data?.mobile ?? data?.phone ?? ''),
        }
      }
    />
  )
}

interface Start {
  name: string
  email: string
  phone: string
}

function Form({ title, text, names = [], ask, onClose, children, start }: AskDialogProps & { start: Start }) {
  const t = useWords()
  const today = useToday()
  const may = useCan()
  const sees = may('signing.see')
  const { data: settings, isLoading } = useCall(getSignSettings, {}, { enabled: sees })
  const [person, setPerson] = useState({
    ...start,
    channel: (start.email ? 'mail' : start.phone ? 'sms' : 'person') as (typeof channels)[number],
    identity: 'link' as (typeof identities)[number],
  })
  const [message, setMessage] = useState('')
  const [day, setDay] = useState<string | null>()
  if (isLoading) return null
  const expires = day === undefined && settings ? addDays(today, settings.expireDays) : (day ?? null)
  const change = (what: Partial<typeof person>) => setPerson({ ...person, ...what })
  const send = async () => {
    const { id, url } = await ask({
      signer: { ...person, email: person.email.trim() || null, phone: person.phone.trim() || null },
      message,
      ...(expires ? { expiresDay: expires } : {}),
    })
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: ['signRequests.about'] }),
      queryClient.invalidateQueries({ queryKey: ['signRequests.list'] }),
    ])
    onClose()
    // Signers on this device, or without an address, get their link on the document's page; people who may not see that
    // are led to the signer's.
    const byHand = person.channel === 'person' || person.channel === 'whatsapp'
    if (byHand && sees) go(`/invoice/signrequest/${id}`)
    else if (byHand && url) location.assign(url)
    else banner.success(t('signing.send.sent'))
  }
  const fields = ['name', 'email', 'phone']
  return (
    <FormDialog
      title={title}
      verb={t('signing.ask.verb')}
      icon={Send}
      m
      names={[
        ...fields.flatMap((one) => [`signer.${one}`, `signers.0.${one}`]),
        'message',
        'expiresDay',
        ...names,
      ]}
      onClose={onClose}
      onSubmit={send}
    >
      {(refusal) => {
        // The form's own check and the rule of sending name the place differently.
        const at = (name: 'name' | 'email' | 'phone') => ({
          ...refusal(`signer.${name}`, person[name]),
          ...refusal(`signers.0.${name}`, person[name]),
        })
        return (
          <>
            {text && <p className="sub">{text}</p>}
            <TextField
              label={t('signing.send.name')}
              value={person.name}
              onChange={(name) => change({ name })}
              max={120}
              {...at('name')}
            />
            <ChoiceField
              label={t('signing.send.channel')}
              value={person.channel}
              onChange={(next) => change({ channel: next ?? 'mail' })}
              choices={channels.map((value) => ({ value, label: t(`signing.channel.${value}`) }))}
            />
            <div className="sg-reach">
              <EmailField
                label={t('signing.send.email')}
                value={person.email}
                optional={person.channel !== 'mail'}
                onChange={(email) => change({ email })}
                {...at('email')}
              />
              <PhoneField
                label={t('signing.send.phone')}
                value={person.phone}
                optional={person.channel === 'mail' || person.channel === 'person'}
                onChange={(phone) => change({ phone })}
                {...at('phone')}
              />
            </div>
            <ChoiceField
              label={t('signing.send.identity')}
              value={person.identity}
              onChange={(next) => change({ identity: next ?? 'link' })}
              choices={identities.map((value) => ({ value, label: t(`signing.identity.${value}`) }))}
            />
            {children?.(refusal)}
            <LongText
              label={t('signing.send.message')}
              value={message}
              onChange={setMessage}
              rows={2}
              max={2000}
              optional
              {...refusal('message', message)}
            />
            <DayField
              label={t('signing.send.expires')}
              value={expires}
              onChange={setDay}
              {...refusal('expiresDay', expires)}
            />
          </>
        )
      }}
    </FormDialog>
  )
}
