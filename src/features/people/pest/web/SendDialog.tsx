import { useState } from 'react'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { EmailField, PhoneField } from '#kit/web/fields/ContactFields.tsx'
import { LongText } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Dialog } from '#kit/web/parts/Dialog.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { Segmented } from '#kit/web/parts/Views.tsx'
import { refreshResource } from '#kit/web/screens/resources.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import {
  pestReminding,
  pestSending,
  remindPest,
  sendPest,
  whatsAppPest,
  whatsAppRemindPest,
} from '../endpoints.ts'
import { pestSites } from '../pest.ts'

type Ready = OutputOf<typeof pestSending>

/** What is sent, and the words of its dialog: `title` and `done` below `words`. */
interface Sending {
  words: 'pest.send' | 'pest.remind'
  mail: (given: { id: string; to?: string; text: string }) => Promise<unknown>
  whatsApp: (given: { id: string; to: string; text: string }) => Promise<{ url: string }>
}

const certificates: Sending = {
  words: 'pest.send',
  mail: (given) => call(sendPest, given),
  whatsApp: (given) => call(whatsAppPest, given),
}
const reminders: Sending = {
  words: 'pest.remind',
  mail: (given) => call(remindPest, given),
  whatsApp: (given) => call(whatsAppRemindPest, given),
}

interface DialogProps {
  id: string
  onClose: () => void
}

/** The sealed certificate to its customer: by mail as it is, or by WhatsApp as a link. */
export function SendDialog({ id, onClose }: DialogProps) {
  const { data, error } = useCall(pestSending, { id }, { staleTime: 0, refetchOnWindowFocus: false })
  return <Gate id={id} of={data} error={error} sending={certificates} onClose={onClose} />
}

/** The customer is reminded of the next visit at a site. */
export function RemindDialog({ id, onClose }: DialogProps) {
  const { data, error } = useCall(pestReminding, { id }, { staleTime: 0, refetchOnWindowFocus: false })
  const close = () => {
    onClose()
    void refreshResource(pestSites)
  }
  return <Gate id={id} of={data} error={error} sending={reminders} onClose={close} />
}

function Gate({
  id,
  of,
  error,
  sending,
  onClose,
}: DialogProps & { of: Ready | undefined; error: unknown; sending: Sending }) {
  const t = useWords()
  if (of) return <Form id={id} of={of} sending={sending} onClose={onClose} />
  return (
    <Dialog isOpen onClose={onClose} title={t(`${sending.words}.title`)}>
      {error ? <Note tone="late">{failureText(t, error)}</Note> : <Skeleton lines={5} />}
    </Dialog>
  )
}

function Form({ id, of, sending, onClose }: DialogProps & { of: Ready; sending: Sending }) {
  const t = useWords()
  const [way, setWay] = useState<'mail' | 'whatsapp'>(
    of.mail || of.isMailKept || !of.phone ? 'mail' : 'whatsapp',
  )
  const [mail, setMail] = useState(of.mail)
  const [phone, setPhone] = useState(of.phone)
  const [text, setText] = useState(of.text)
  return (
    <FormDialog
      title={t(`${sending.words}.title`)}
      verb={t(way === 'mail' ? 'pest.send.mailDo' : 'pest.send.whatsAppDo')}
      names={['to', 'text']}
      onClose={onClose}
      onSubmit={async () => {
        if (way === 'mail') {
          await sending.mail({ id, ...(mail ? { to: mail } : {}), text })
          banner.success(t(`${sending.words}.done`))
        } else {
          const { url } = await sending.whatsApp({ id, to: phone, text })
          window.open(url, '_blank', 'noopener,noreferrer')
        }
        onClose()
      }}
    >
      {(error) => (
        <>
          <Segmented
            label={t('pest.send.way')}
            value={way}
            onChange={setWay}
            options={[
              { key: 'mail', label: t('pest.send.mail') },
              { key: 'whatsapp', label: t('pest.send.whatsApp') },
            ]}
          />
          {way === 'mail' ? (
            <EmailField
              label={t('pest.send.toMail')}
              {...(of.isMailKept ? { optional: true, hint: t('pest.send.kept') } : {})}
              value={mail}
              onChange={setMail}
              {...error('to', mail)}
            />
          ) : (
            <PhoneField
              label={t('pest.send.toPhone')}
              optional
              value={phone}
              onChange={setPhone}
              {...error('to', phone)}
            />
          )}
          <LongText
            label={t('pest.send.body')}
            value={text}
            onChange={setText}
            max={2000}
            {...error('text', text)}
          />
        </>
      )}
    </FormDialog>
  )
}
