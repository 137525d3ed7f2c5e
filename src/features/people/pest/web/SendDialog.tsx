import { useState } from 'react'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { call, failureText, useCall } from '#kit/web/call.ts'
import { EmailField, PhoneField } from '#kit/web/fields/ContactFields.tsx'
import { LongText } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Dialog } from '#kit/web/parts/Dialog.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { Segmented } from '#kit/web/parts/Views.tsx'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words.tsx'
import { pestSending, sendPest, whatsAppPest } from '../endpoints.ts'

/** The sealed certificate to its customer: by mail as it is, or by WhatsApp as a link. */
export function SendDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useWords()
  const { data, error } = useCall(pestSending, { id }, { staleTime: 0, refetchOnWindowFocus: false })
  if (data) return <Form id={id} of={data} onClose={onClose} />
  return (
    <Dialog isOpen onClose={onClose} title={t('pest.send.title')}>
      {error ? <Note tone="late">{failureText(t, error)}</Note> : <Skeleton lines={5} />}
    </Dialog>
  )
}

function Form({ id, of, onClose }: { id: string; of: OutputOf<typeof pestSending>; onClose: () => void }) {
  const t = useWords()
  const [way, setWay] = useState<'mail' | 'whatsapp'>(of.mail || !of.phone ? 'mail' : 'whatsapp')
  const [mail, setMail] = useState(of.mail)
  const [phone, setPhone] = useState(of.phone)
  const [text, setText] = useState(of.text)
  return (
    <FormDialog
      title={t('pest.send.title')}
      verb={t(way === 'mail' ? 'pest.send.mailDo' : 'pest.send.whatsAppDo')}
      names={['to', 'text']}
      onClose={onClose}
      onSubmit={async () => {
        if (way === 'mail') {
          await call(sendPest, { id, to: mail, text })
          banner.success(t('pest.send.done'))
        } else {
          const { url } = await call(whatsAppPest, { id, to: phone, text })
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
            <EmailField label={t('pest.send.toMail')} value={mail} onChange={setMail} {...error('to', mail)} />
          ) : (
            <PhoneField label={t('pest.send.toPhone')} optional value={phone} onChange={setPhone} {...error('to', phone)} />
          )}
          <LongText label={t('pest.send.body')} value={text} onChange={setText} max={2000} {...error('text', text)} />
        </>
      )}
    </FormDialog>
  )
}
