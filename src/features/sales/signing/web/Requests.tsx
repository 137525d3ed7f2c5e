import { Send } from 'lucide-react'
import { useEffect, useState } from 'react'
import { call, queryClient, useCall } from '#kit/web/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { EmailField, PhoneField } from '#kit/web/fields/ContactFields.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { LongText, TextField } from '#kit/web/fields/TextField.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { go, usePlace } from '#kit/web/place.ts'
import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { useCan } from '#kit/web/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words.tsx'
import { getDocument, type DocumentAnswer } from '#features/sales/documents/endpoints.ts'
import { signDocument } from '../endpoints.ts'
import { channels, identities } from '../shapes.ts'
import { signRequests, signTemplates } from '../signing.ts'
import './dress.tsx'
import './signing.css'

/** What was sent to be signed: what waits, what was signed, what was declined. */
export function Screen() {
  const may = useCan()
  const { query, setQuery } = usePlace()
  const [document, setDocument] = useState<string>()
  useEffect(() => {
    if (!query.document) return
    if (may('signing.send')) setDocument(query.document)
    setQuery({ document: undefined })
  }, [query.document, setQuery, may])
  return (
    <>
      <ListScreen resource={signRequests} archive newHref={signTemplates.screens.list} />
      {document && <DocumentGate id={document} onClose={() => setDocument(undefined)} />}
    </>
  )
}

function DocumentGate({ id, onClose }: { id: string; onClose: () => void }) {
  const { data } = useCall(getDocument, { id })
  return data ? <DocumentDialog of={data} onClose={onClose} /> : null
}

/** A paper of agreement to whoever it is for. */
function DocumentDialog({ of, onClose }: { of: DocumentAnswer; onClose: () => void }) {
  const t = useWords()
  const [name, setName] = useState(of.customer?.name ?? '')
  const [email, setEmail] = useState(of.customer?.email ?? '')
  const [phone, setPhone] = useState(of.customer?.phone ?? '')
  const [channel, setChannel] = useState<(typeof channels)[number]>('mail')
  const [identity, setIdentity] = useState<(typeof identities)[number]>('link')
  const [message, setMessage] = useState('')
  const [becomesOrder, setBecomes] = useState(of.type === 1)
  const send = async () => {
    const { id } = await call(signDocument, {
      documentId: of.id,
      signer: { name, email: email.trim() || null, phone: phone.trim() || null, channel, identity },
      message,
      becomesOrder: of.type === 1 && becomesOrder,
    })
    void queryClient.invalidateQueries({ queryKey: ['signRequests.list'] })
    onClose()
    banner.success(t('signing.send.sent'))
    go(`/invoice/signrequest/${id}`)
  }
  return (
    <FormDialog
      title={t('signing.document.title', { number: of.number ?? '' })}
      verb={t('signing.send.verb')}
      icon={Send}
      m
      names={['signers.0.name', 'signers.0.email', 'signers.0.phone', 'signer.name', 'signer.email', 'signer.phone', 'message']}
      onClose={onClose}
      onSubmit={send}
    >
      {(refusal) => (
        <>
          <TextField label={t('signing.send.name')} value={name} onChange={setName} max={120} {...refusal('signer.name', name)} />
          <EmailField
            label={t('signing.send.email')}
            value={email}
            onChange={setEmail}
            {...refusal('signer.email', email)}
            {...refusal('signers.0.email', email)}
          />
          <PhoneField label={t('signing.send.phone')} value={phone} optional onChange={setPhone} {...refusal('signers.0.phone', phone)} />
          <ChoiceField
            label={t('signing.send.channel')}
            value={channel}
            onChange={(next) => setChannel(next ?? 'mail')}
            choices={channels.map((value) => ({ value, label: t(`signing.channel.${value}`) }))}
          />
          <ChoiceField
            label={t('signing.send.identity')}
            value={identity}
            onChange={(next) => setIdentity(next ?? 'link')}
            choices={identities.map((value) => ({ value, label: t(`signing.identity.${value}`) }))}
          />
          {of.type === 1 && <FlagField label={t('signing.document.becomesOrder')} value={becomesOrder} onChange={setBecomes} />}
          <LongText
            label={t('signing.send.message')}
            value={message}
            onChange={setMessage}
            rows={3}
            max={2000}
            optional
            {...refusal('message', message)}
          />
        </>
      )}
    </FormDialog>
  )
}
