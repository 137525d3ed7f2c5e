import { useQuery } from '@tanstack/react-query'
import {
  Archive,
  ArchiveRestore,
  FileDown,
  Link2,
  Mail,
  PenLine,
  Pencil,
  Send,
  TriangleAlert,
} from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { formatMoment } from '#domain/format.ts'
import { call, callBytes, failureText, keyOf, queryClient, useCall } from '#kit/web/calls/call.ts'
import { EmailField } from '#kit/web/fields/ContactFields.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { LongText, TextField } from '#kit/web/fields/TextField.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card, Rows } from '#kit/web/parts/Card.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { fileSize } from '#kit/web/parts/FileDrop.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { show } from '#kit/web/parts/shown.ts'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill, type StatusTone } from '#kit/web/parts/Status.tsx'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { useTitle } from '#kit/web/routes/router.tsx'
import { callsOf, type AnyRow } from '#kit/web/screens/resources.ts'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useCopy } from '#kit/web/hooks/useCopy.ts'
import { useFile } from '#kit/web/calls/useFile.ts'
import { useObjectUrl } from '#kit/web/calls/useObjectUrl.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { AskDialog, Asked } from '#features/sales/signing/web/index.tsx'
import {
  getOutside,
  pdfOfOutside,
  sendOutside,
  signOutside,
  templateOfOutside,
  type OutsideAnswer,
} from '../endpoints.ts'
import { outsideDocuments } from '../outsideDocuments.ts'
import { OutsideState } from './dress.tsx'
import { RecordSheet } from '#kit/web/screens/RecordSheet.tsx'
import './outside.css'
import { Viewer } from './Viewer.tsx'

const refresh = (id: string) =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: keyOf(getOutside, { id }) }),
    queryClient.invalidateQueries({ queryKey: ['outsideDocuments.list'] }),
    queryClient.invalidateQueries({ queryKey: ['messages.list'] }),
  ])

/** A document from elsewhere: the sealed paper, to whom it was sent, whether it was opened. */
export function Screen() {
  const t = useWords()
  const copy = useCopy()
  const file = useFile()
  const may = useCan()
  const { params } = usePlace()
  const id = params.key ?? ''
  const { data, error } = useCall(
    getOutside,
    { id },
    { refetchInterval: ({ state }) => (state.data?.messages[0]?.state === 'queued' ? 3000 : false) },
  )
  const [sends, setSends] = useState(false)
  const [edits, setEdits] = useState<AnyRow>()
  useTitle(data?.name)
  if (error && !data)
    return (
      <EmptyState
        icon={TriangleAlert}
        title={t('outsideDocuments.notFound')}
        actions={<Button href={outsideDocuments.screens.list}>{t('outsideDocuments.title')}</Button>}
      >
        {failureText(t, error)}
      </EmptyState>
    )
  if (!data) return <Skeleton lines={6} />
  const mayChange = may(outsideDocuments.allow.change)
  const attempt = (deed: () => Promise<unknown>) =>
    void deed()
      .then(() => refresh(id))
      .catch((e: unknown) => banner.error(failureText(t, e)))
  return (
    <>
      <PageHeader
        crumbs={[{ label: t('outsideDocuments.title'), href: outsideDocuments.screens.list }]}
        title={<bdi>{data.name}</bdi>}
        status={<OutsideState value={data.state} />}
        sub={
          <span className="ou-sub">
            {data.customer &&
              (may('customers.see') ? (
                <Link className="aim" href={`/invoice/invoiceCustomer/${data.customer.id}/details`}>
                  {data.customer.name}
                </Link>
              ) : (
                <bdi>{data.customer.name}</bdi>
              ))}
            <span>
              {t('outsideDocuments.pagesAndSize', { pages: data.pages, size: fileSize(data.size) })}
            </span>
          </span>
        }
        actions={
          <>
            <Button icon={FileDown} onPress={() => void file(pdfOfOutside, { id }, { open: true })}>
              PDF
            </Button>
            {mayChange && !data.archivedAt && (
              <Button kind="primary" icon={Send} m onPress={() => setSends(true)}>
                {t('outsideDocuments.send')}
              </Button>
            )}
          </>
        }
        more={[
          { key: 'link', label: t('documents.page.copyLink'), icon: Link2, onPress: () => copy(data.url) },
          ...(may('signing.templates') && !data.archivedAt
            ? [
                {
                  key: 'template',
                  label: t('outsideDocuments.toTemplate'),
                  icon: PenLine,
                  onPress: () =>
                    void call(templateOfOutside, { id })
                      .then((made) => go(`/invoice/signtemplate/${made.id}`))
                      .catch((e: unknown) => banner.error(failureText(t, e))),
                },
              ]
            : []),
          ...(mayChange && !data.sentAt
            ? [
                {
                  key: 'edit',
                  label: t('outsideDocuments.edit'),
                  icon: Pencil,
                  onPress: () =>
                    void call(callsOf(outsideDocuments).get, { id })
                      .then((row) => setEdits(row as AnyRow))
                      .catch((e: unknown) => banner.error(failureText(t, e))),
                },
              ]
            : []),
          ...(mayChange
            ? [
                data.archivedAt
                  ? {
                      key: 'restore',
                      label: t('outsideDocuments.restore'),
                      icon: ArchiveRestore,
                      onPress: () => attempt(() => call(callsOf(outsideDocuments).restore, { id })),
                    }
                  : {
                      key: 'archive',
                      label: t('outsideDocuments.archive'),
                      icon: Archive,
                      onPress: () => attempt(() => call(callsOf(outsideDocuments).archive, { id })),
                    },
              ]
            : []),
        ]}
      />
      <div className="ou-desk">
        <Paper id={id} name={data.name} />
        <div className="ou-stack">
          {data.archivedAt && <Note tone="wait">{t('outsideDocuments.isArchived')}</Note>}
          <Note tone="done">{t('outsideDocuments.isSealed')}</Note>
          {data.note && (
            <Card title={t('outsideDocuments.fields.note')}>
              <p dir="auto" className="whitespace-pre-line">
                {data.note}
              </p>
            </Card>
          )}
          <Asked
            about={id}
            purposes="outside"
            {...(mayChange && !data.archivedAt
              ? {
                  onAsk: () =>
                    show((close) => (
                      <AskDialog
                        title={t('signing.ask.title', { name: data.name })}
                        customerId={data.customer?.id}
                        ask={(given) => call(signOutside, { id, ...given }).finally(() => void refresh(id))}
                        onClose={close}
                      />
                    )),
                }
              : {})}
          />
          <Card title={t('outsideDocuments.history')}>
            <Rows>
              <Happened
                word={t('outsideDocuments.uploadedBy')}
                at={data.createdAt}
                {...(data.by ? { by: data.by } : {})}
              />
              {data.messages.toReversed().map((message) => (
                <Mailed key={message.id} message={message} />
              ))}
              {data.openedAt && <Happened word={t('outsideDocuments.state.opened')} at={data.openedAt} />}
            </Rows>
          </Card>
        </div>
      </div>
      {sends && <SendDialog of={data} onClose={() => setSends(false)} />}
      {edits && (
        <RecordSheet
          resource={outsideDocuments}
          record={edits}
          onSaved={() => {
            setEdits(undefined)
            void refresh(id)
          }}
          onClose={() => setEdits(undefined)}
        />
      )}
    </>
  )
}

function Happened({ word, at, by }: { word: string; at: string; by?: string }) {
  return (
    <div>
      <span className="grow">
        <span className="t">{word}</span>
        <span className="s">
          {by && (
            <>
              <bdi>{by}</bdi> ·{' '}
            </>
          )}
          <Num>{formatMoment(new Date(at))}</Num>
        </span>
      </span>
    </div>
  )
}

const tones: Record<string, StatusTone> = {
  sent: 'done',
  queued: 'info',
  postponed: 'wait',
  kept: 'plain',
  bounced: 'wait',
  failed: 'wait',
}

function Mailed({ message }: { message: OutsideAnswer['messages'][number] }) {
  const t = useWords()
  return (
    <div>
      <span className="k-tile">
        <Icon of={Mail} />
      </span>
      <span className="grow">
        <span className="t">
          <Num>{message.recipient}</Num>
        </span>
        <span className="s">
          <Num>{formatMoment(new Date(message.at))}</Num>
          {message.error && (
            <>
              {' · '}
              <bdi>{message.error}</bdi>
            </>
          )}
        </span>
      </span>
      <StatusPill tone={tones[message.state] ?? 'plain'}>{t(`messages.state.${message.state}`)}</StatusPill>
    </div>
  )
}

/** The file in the browser's own viewer; where there is none (phones), a word and the button above. */
function Paper({ id, name }: { id: string; name: string }) {
  const t = useWords()
  const { data, error } = useQuery({
    queryKey: keyOf(pdfOfOutside, { id }),
    queryFn: ({ signal }) => callBytes(pdfOfOutside, { id }, { signal }),
    enabled: navigator.pdfViewerEnabled,
    staleTime: Infinity,
    gcTime: 60_000,
  })
  const url = useObjectUrl(data?.blob)
  if (!navigator.pdfViewerEnabled) return <p className="ou-frame ou-none">{t('outsideDocuments.noViewer')}</p>
  if (error) return <Note tone="late">{failureText(t, error)}</Note>
  return <Viewer url={url} name={name} />
}

function SendDialog({ of, onClose }: { of: OutsideAnswer; onClose: () => void }) {
  const t = useWords()
  const [to, setTo] = useState(of.customer?.email ?? '')
  const [subject, setSubject] = useState(of.mail.subject)
  const [text, setText] = useState(of.mail.text)
  const [attach, setAttach] = useState(true)
  const send = async () => {
    await call(sendOutside, { id: of.id, to, subject, text, attach })
    void refresh(of.id)
    onClose()
    banner.success(t('documents.page.sent', { to }))
  }
  return (
    <FormDialog
      title={t('documents.page.sendTitle', { name: of.name })}
      verb={t('outsideDocuments.send')}
      icon={Send}
      m
      names={['to', 'subject', 'text']}
      onClose={onClose}
      onSubmit={send}
    >
      {(refusal) => (
        <>
          {!of.sentAt && <p className="sub">{t('outsideDocuments.sendText')}</p>}
          <EmailField
            label={t('documents.page.to')}
            value={to}
            onChange={setTo}
            {...refusal('to', to)}
            autoFocus={to === ''}
          />
          <TextField
            label={t('documents.page.mailSubject')}
            value={subject}
            onChange={setSubject}
            {...refusal('subject', subject)}
            max={200}
          />
          <LongText
            label={t('documents.page.mailText')}
            value={text}
            onChange={setText}
            {...refusal('text', text)}
            rows={6}
            max={4000}
          />
          <FlagField
            label={t('documents.page.attach')}
            value={attach}
            onChange={setAttach}
            hint={attach ? undefined : t('documents.page.linkOnly')}
          />
        </>
      )}
    </FormDialog>
  )
}
