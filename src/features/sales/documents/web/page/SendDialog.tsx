import { Mail, MessageCircle, MessageSquareText, Paperclip } from 'lucide-react'
import { useId, useState, type FormEvent } from 'react'
import { Link } from 'react-aria-components/Link'
import { labelOf } from '#domain/documents/kinds.ts'
import { channelFor, channelsFor, type Channel } from '#domain/documents/channels.ts'
import { israeliMobile, whatsAppLink } from '#domain/phone.ts'
import { formatDay } from '#domain/format.ts'
import { dayInJerusalem } from '#domain/day.ts'
import { call, failureText, fieldErrors, queryClient, useCall } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { EmailField, PhoneField } from '#kit/web/fields/ContactFields.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { LongText, TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Dialog } from '#kit/web/parts/Dialog.tsx'
import { fileSize } from '#kit/web/parts/FileDrop.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { Segmented } from '#kit/web/parts/Views.tsx'
import { usePhone } from '#kit/web/parts/useMedia.ts'
import { useCan } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import {
  mostMailBytes,
  sendDocument,
  sendingOfDocument,
  smsDocument,
  whatsAppDocument,
  type ConsentInput,
  type DocumentAnswer,
} from '../../endpoints.ts'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { refreshDocuments } from './actions.tsx'
import { SentDialog } from './SentDialog.tsx'
import { documentName } from '../words.ts'

export type SendWay = Channel

type Sending = OutputOf<typeof sendingOfDocument>

const icons = { mail: Mail, sms: MessageSquareText, whatsapp: MessageCircle }

/** What was handed over: by which channel, as which messages. */
interface Left {
  way: SendWay
  ids: string[]
}

/**
 * A document to its customer: by mail, in a text message, by WhatsApp; in which words, with which files, and
 * with the customer's consent. It opens on the channel that reaches the customer, unless one was chosen.
 */
export function SendDialog({
  document,
  way,
  onClose,
}: {
  document: DocumentAnswer
  way?: SendWay
  onClose: () => void
}) {
  const t = useWords()
  const { data, error } = useCall(
    sendingOfDocument,
    { id: document.id },
    { staleTime: 0, gcTime: 0, refetchOnWindowFocus: false },
  )
  const onPhone = usePhone()
  if (data) {
    const { to, lastChannel: last } = data
    const start =
      way ??
      channelFor({ last, hasMail: to.mail !== '', hasMobile: israeliMobile(to.phone) !== undefined, onPhone })
    return <SendForm document={document} sending={data} start={start} onClose={onClose} />
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('documents.page.sendTitle', {
        name: documentName(t, document.type, document.number, labelOf(document)),
      })}
    >
      {error ? <Note tone="late">{failureText(t, error)}</Note> : <Skeleton lines={5} />}
    </Dialog>
  )
}

const consentWays = ['paper', 'mail', 'phone'] as const

function SendForm({
  document,
  sending,
  start,
  onClose,
}: {
  document: DocumentAnswer
  sending: Sending
  start: SendWay
  onClose: () => void
}) {
  const t = useWords()
  const may = useCan()
  const form = useId()
  const onPhone = usePhone()
  const [way, setWay] = useState<SendWay>(start)
  const [mail, setMail] = useState(sending.to.mail)
  const [also, setAlso] = useState<ReadonlySet<string>>(() => new Set(sending.to.also))
  const [phone, setPhone] = useState(sending.to.phone)
  const [subject, setSubject] = useState(sending.texts.subject)
  const [texts, setTexts] = useState({
    mail: sending.texts.mail,
    sms: sending.texts.sms,
    whatsapp: sending.texts.whatsApp,
  })
  const [attach, setAttach] = useState(true)
  const [files, setFiles] = useState<ReadonlySet<string>>(
    () => new Set(sending.files.filter(({ mailed }) => mailed).map(({ id }) => id)),
  )
  const [agreed, setAgreed] = useState(false)
  const [how, setHow] = useState<(typeof consentWays)[number]>()
  const [by, setBy] = useState('')
  const [explains, setExplains] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Left>()
  const asks = sending.consent.state === 'missing' || sending.consent.state === 'asked'
  const isBehind = sending.notices.includes('certified')
  const size = sending.files.reduce((sum, file) => sum + (files.has(file.id) ? file.size : 0), 0)
  const tooLarge = size > mostMailBytes
  const { fields, rest } = failure
    ? fieldErrors(t, failure, ['to', 'subject', 'text', 'files'])
    : { fields: {} as Record<string, string>, rest: undefined }
  // What the customer was asked is noted; who was asked before and did not agree is not noted again.
  const consent: ConsentInput | undefined = agreed
    ? { how: how ?? (way === 'mail' ? 'mail' : 'phone'), by }
    : sending.consent.state === 'missing'
      ? 'notNow'
      : undefined

  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (way === 'mail' && tooLarge) return
    setFailure(undefined)
    const text = texts[way].trim()
    const more = { ...(text ? { text } : {}), ...(consent ? { consent } : {}) }
    // A window opens only while the press is still being answered, so before anything is asked of the server.
    const opened =
      way === 'whatsapp' && text ? window.open(whatsAppLink(phone, text), '_blank', 'noopener') : undefined
    setBusy(true)
    try {
      let ids: string[]
      if (way === 'mail')
        ({ messageIds: ids } = await call(sendDocument, {
          id: document.id,
          to: mail,
          ...(also.size ? { also: [...also] } : {}),
          ...(subject.trim() ? { subject } : {}),
          ...more,
          attach,
          files: [...files],
        }))
      else if (way === 'sms')
        ids = [(await call(smsDocument, { id: document.id, to: phone, ...more })).messageId]
      else {
        const { messageId, url } = await call(whatsAppDocument, {
          id: document.id,
          to: phone.trim(),
          ...more,
        })
        ids = [messageId]
        // Who may not see figures has no text to open it with beforehand.
        if (opened === undefined) window.open(url, '_blank', 'noopener')
      }
      void refreshDocuments()
      void queryClient.invalidateQueries({ queryKey: ['messages.list'] })
      void queryClient.invalidateQueries({ queryKey: ['customers.get'] })
      setOutcome({ way, ids })
    } catch (e) {
      setFailure(e)
    } finally {
      setBusy(false)
    }
  }

  if (outcome)
    return (
      <SentDialog
        document={document}
        ids={outcome.ids}
        onClose={onClose}
        onAgain={() => setOutcome(undefined)}
      />
    )
  return (
    <Dialog
      isOpen
      onClose={onClose}
      form
      size="l"
      title={t('documents.page.sendTitle', {
        name: documentName(t, document.type, document.number, labelOf(document)),
      })}
      actions={
        <>
          <Button kind="quiet" onPress={onClose}>
            {t('kit.actions.back')}
          </Button>
          <Button kind="primary" type="submit" form={form} busy={busy} icon={icons[way]}>
            {t(way === 'whatsapp' ? 'documents.sending.openWhatsApp' : 'documents.page.send')}
          </Button>
        </>
      }
    >
      <form id={form} className="grid gap-4" onSubmit={(event) => void send(event)} noValidate>
        <Segmented
          label={t('documents.sending.way')}
          value={way}
          onChange={(next) => {
            setWay(next)
            setFailure(undefined)
          }}
          options={channelsFor({ onPhone }).map((key) => ({
            key,
            label: t(`messages.channel.${key}`),
            icon: <Icon of={icons[key]} size="s" />,
          }))}
        />
        {rest && <Note tone="late">{rest}</Note>}
        {way === 'mail' ? (
          <>
            <EmailField
              label={t('documents.page.to')}
              value={mail}
              onChange={setMail}
              error={fields.to}
              autoFocus={mail === ''}
            />
            {sending.to.also.length > 0 && (
              <div className="grid gap-2" role="group" aria-label={t('documents.sending.also')}>
                <p className="sub">{t('documents.sending.also')}</p>
                {sending.to.also.map((one) => (
                  <FlagField
                    key={one}
                    label={<Num>{one}</Num>}
                    value={also.has(one)}
                    onChange={(on) => {
                      const next = new Set(also)
                      if (on) next.add(one)
                      else next.delete(one)
                      setAlso(next)
                    }}
                  />
                ))}
              </div>
            )}
            <TextField
              label={t('documents.page.mailSubject')}
              value={subject}
              onChange={setSubject}
              error={fields.subject}
              max={200}
              {...(sending.texts.subject
                ? {}
                : { optional: true, placeholder: t('documents.page.readyWords') })}
            />
          </>
        ) : (
          <PhoneField
            label={t('documents.sending.phone')}
            value={phone}
            onChange={setPhone}
            error={fields.to}
            autoFocus={phone === ''}
            {...(way === 'whatsapp' ? { optional: true, hint: t('documents.sending.whatsAppHint') } : {})}
          />
        )}
        {way === 'mail' && !sending.mailIsSet && <Note tone="wait">{t('documents.sending.mailNotSet')}</Note>}
        {way === 'sms' && !sending.smsIsSet && (
          <Note
            tone="wait"
            {...(may('companies.change')
              ? {
                  action: (
                    <Button size="s" kind="quiet" href="/invoice/smssettings">
                      {t('screens.smsSettings')}
                    </Button>
                  ),
                }
              : {})}
          >
            {t('documents.sending.smsNotSet')}
          </Note>
        )}
        <LongText
          label={t('documents.page.mailText')}
          rows={way === 'mail' ? 6 : 3}
          value={texts[way]}
          onChange={(text) => setTexts({ ...texts, [way]: text })}
          error={fields.text}
          max={way === 'mail' ? 4000 : way === 'sms' ? 600 : 2000}
          {...(sending.texts.mail ? {} : { optional: true, placeholder: t('documents.page.readyWords') })}
        />
        {way === 'mail' && (
          <div className="grid gap-2">
            <FlagField
              label={t('documents.page.attach')}
              value={attach}
              onChange={setAttach}
              hint={attach ? undefined : t('documents.page.linkOnly')}
            />
            {sending.files.map((file) => (
              <FlagField
                key={file.id}
                label={
                  <>
                    <bdi>{file.name}</bdi>{' '}
                    <span className="hint">
                      <Num>{fileSize(file.size)}</Num>
                    </span>
                  </>
                }
                value={files.has(file.id)}
                onChange={(on) => {
                  const next = new Set(files)
                  if (on) next.add(file.id)
                  else next.delete(file.id)
                  setFiles(next)
                }}
              />
            ))}
            {sending.files.length > 0 && (
              <p
                className={tooLarge || fields.files ? 'k-msg' : 'hint text-12'}
                data-tone="late"
                role={tooLarge ? 'alert' : undefined}
              >
                {fields.files ??
                  t('documents.sending.limit', { size: fileSize(size), limit: fileSize(mostMailBytes) })}
              </p>
            )}
            {sending.companions.map(({ word, fault }) =>
              fault ? (
                <Note key={word} tone="wait">
                  {t('documents.sending.companionFault', { name: t(word) })}
                </Note>
              ) : (
                <p key={word} className="hint text-13">
                  <Icon of={Paperclip} size="s" /> {t('documents.sending.companion', { name: t(word) })}
                </p>
              ),
            )}
          </div>
        )}
        {(asks || isBehind) && (
          <div className="doc-agreed">
            <div>
              {asks ? (
                <FlagField
                  label={t('documents.sending.agrees')}
                  value={agreed}
                  onChange={(on) => setAgreed(on)}
                />
              ) : (
                <span className="hint text-13">{t('documents.sending.printToo')}</span>
              )}
              <Button kind="quiet" size="s" expanded={explains} onPress={() => setExplains(!explains)}>
                {t('documents.sending.why')}
              </Button>
            </div>
            {explains && (
              <div className="grid gap-3">
                {asks && <p className="hint text-13">{t('documents.sending.consentText')}</p>}
                {isBehind && <p className="hint text-13">{t('documents.sending.notice.certified')}</p>}
                {asks && agreed && (
                  <>
                    <ChoiceField
                      label={t('documents.sending.consent')}
                      value={how ?? (way === 'mail' ? 'mail' : 'phone')}
                      onChange={(next) => next && setHow(next)}
                      choices={consentWays.map((value) => ({
                        value,
                        label: t(`documents.sending.agreed.${value}`),
                      }))}
                    />
                    <TextField
                      label={t('customers.fields.consentBy')}
                      value={by}
                      onChange={setBy}
                      max={120}
                      optional
                    />
                  </>
                )}
              </div>
            )}
          </div>
        )}
        {sending.consent.state === 'given' && sending.consent.at && (
          <p className="hint text-13">
            {t('documents.sending.agreedOn', {
              day: formatDay(dayInJerusalem(new Date(sending.consent.at))),
            })}
            {sending.customerId && may('customers.see') && (
              <>
                {' '}
                <Link className="link" href={`/invoice/invoiceCustomer/${sending.customerId}/details`}>
                  {t('documents.sending.openCustomer')}
                </Link>
              </>
            )}
          </p>
        )}
      </form>
    </Dialog>
  )
}
