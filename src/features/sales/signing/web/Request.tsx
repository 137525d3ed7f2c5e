import {
  Bell,
  Copy,
  FileDown,
  MessageCircle,
  PenLine,
  QrCode,
  Smartphone,
  TriangleAlert,
  Undo2,
} from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { formatMoment } from '#domain/format.ts'
import { whatsAppLink } from '#domain/phone.ts'
import { call, failureText, keyOf, queryClient, useCall } from '#kit/web/calls/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card, Rows } from '#kit/web/parts/Card.tsx'
import { Dialog } from '#kit/web/parts/Dialog.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { ReasonDialog } from '#kit/web/parts/ReasonDialog.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Qr } from '#kit/web/parts/Qr.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill, type StatusTone } from '#kit/web/parts/Status.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { useTitle } from '#kit/web/routes/router.tsx'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useCopy } from '#kit/web/hooks/useCopy.ts'
import { useFile } from '#kit/web/calls/useFile.ts'
import { useWords } from '#kit/web/words/words.tsx'
import {
  getRequest,
  recallRequest,
  remindRequest,
  requestPdf,
  type RequestAnswer,
  type RequestSigner,
} from '../endpoints.ts'
import { signRequests } from '../signing.ts'
import { RequestState } from './dress.tsx'
import { lastDay } from './lastDay.ts'
import './signing.css'

const tones: Record<string, StatusTone> = {
  open: 'info',
  signed: 'done',
  declined: 'late',
  waiting: 'plain',
  delegated: 'plain',
  spared: 'plain',
}

const refresh = (id: string) =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: keyOf(getRequest, { id }) }),
    queryClient.invalidateQueries({ queryKey: ['signRequests.list'] }),
  ])

/** A paper that was sent to be signed: who signed, who is next, what happened, and the sealed file. */
export function Screen() {
  const t = useWords()
  const file = useFile()
  const may = useCan()
  const { params } = usePlace()
  const id = params.key ?? ''
  const { data, error } = useCall(
    getRequest,
    { id },
    { refetchInterval: ({ state }) => (state.data?.state === 'sealing' ? 2000 : false) },
  )
  const [recalls, setRecalls] = useState(false)
  const [shows, setShows] = useState<RequestSigner>()
  useTitle(data?.name)
  if (error && !data)
    return (
      <EmptyState
        icon={TriangleAlert}
        title={t('signRequests.notFound')}
        actions={<Button href={signRequests.screens.list}>{t('signRequests.title')}</Button>}
      >
        {failureText(t, error)}
      </EmptyState>
    )
  if (!data) return <Skeleton lines={8} />
  const isGoing = data.state === 'sent' || data.state === 'inProgress'
  const remind = () =>
    void call(remindRequest, { id })
      .then(({ reminded }) => {
        void refresh(id)
        banner.success(t('signRequests.reminded', { count: reminded }))
      })
      .catch((e: unknown) => banner.error(failureText(t, e)))
  return (
    <>
      <PageHeader
        crumbs={[{ label: t('signRequests.title'), href: signRequests.screens.list }]}
        title={<bdi>{data.name}</bdi>}
        status={<RequestState value={data.state} />}
        sub={
          <span className="sg-row">
            {data.customer && (
              <Link className="aim" href={`/invoice/invoiceCustomer/${data.customer.id}/details`}>
                <bdi>{data.customer.name}</bdi>
              </Link>
            )}
            <span>
              {t('signRequests.sentBy', { name: data.sender ?? '' })}{' '}
              <Num>{formatMoment(new Date(data.sentAt))}</Num>
            </span>
            {isGoing && (
              <span>
                {t('signRequests.until')} <Num>{lastDay(data.expiresAt)}</Num>
              </span>
            )}
          </span>
        }
        actions={
          <>
            {isGoing && may('signing.send') && (
              <Button icon={Bell} onPress={remind}>
                {t('signRequests.remind')}
              </Button>
            )}
            {data.hasFile && (
              <Button
                kind="primary"
                icon={FileDown}
                onPress={() => void file(requestPdf, { id }, { open: true })}
              >
                {t('signRequests.file')}
              </Button>
            )}
          </>
        }
        more={[
          ...(isGoing && may('signing.recall')
            ? [
                {
                  key: 'recall',
                  label: t('signRequests.recall'),
                  icon: Undo2,
                  onPress: () => setRecalls(true),
                },
              ]
            : []),
          ...(data.templateId
            ? [
                {
                  key: 'template',
                  label: t('signRequests.template'),
                  icon: PenLine,
                  href: `/invoice/signtemplate/${data.templateId}`,
                },
              ]
            : []),
        ]}
      />
      <div className="sg-desk">
        <div className="sg-stack">
          {data.state === 'declined' && (
            <Note tone="late">{t('signRequests.declinedFor', { reason: data.reason })}</Note>
          )}
          {data.state === 'sealing' && <Note>{t('signRequests.isSealing')}</Note>}
          {data.state === 'done' && (
            <Note tone="done">{t(data.stamped ? 'signRequests.isStamped' : 'signRequests.isDone')}</Note>
          )}
          <Card title={t('signRequests.signers')}>
            <Rows>
              {data.signers.map((signer) => (
                <Signer key={signer.id} signer={signer} request={data} onShow={() => setShows(signer)} />
              ))}
            </Rows>
          </Card>
          {data.copies.length > 0 && (
            <Card title={t('signing.send.copies')}>
              <p>
                {data.copies.map(({ email }, at) => (
                  <span key={email}>
                    {at > 0 && ', '}
                    <Num>{email}</Num>
                  </span>
                ))}
              </p>
            </Card>
          )}
        </div>
        <Card title={t('signRequests.history')}>
          <Rows>
            {data.acts.map((one) => (
              <div key={one.no}>
                <span className="grow">
                  <span className="t">
                    {t(`signRequests.act.${one.kind}`)}
                    {one.who && (
                      <>
                        {' · '}
                        <bdi>{one.who}</bdi>
                      </>
                    )}
                  </span>
                  <span className="s">
                    <Num>{formatMoment(new Date(one.at))}</Num>
                    {one.address && (
                      <>
                        {' · '}
                        <Num>{one.address}</Num>
                      </>
                    )}
                    {' · '}
                    <Num>{one.hash.slice(0, 12)}</Num>
                  </span>
                </span>
              </div>
            ))}
          </Rows>
        </Card>
      </div>
      {recalls && <RecallDialog id={id} onClose={() => setRecalls(false)} />}
      {shows?.url && (
        <Dialog isOpen onClose={() => setShows(undefined)} title={<bdi>{shows.name}</bdi>}>
          <div className="sg-stack">
            <p>{t('signRequests.qrText')}</p>
            <Qr text={shows.url} label={t('signing.qr')} />
          </div>
        </Dialog>
      )}
    </>
  )
}

function Signer({
  signer,
  request,
  onShow,
}: {
  signer: RequestSigner
  request: RequestAnswer
  onShow: () => void
}) {
  const t = useWords()
  const copy = useCopy()
  const at = signer.signedAt ?? signer.openedAt ?? signer.sentAt
  return (
    <div>
      <span className="grow">
        <span className="t">
          <bdi>{signer.name}</bdi>
        </span>
        <span className="s">
          <bdi>{signer.roleName}</bdi> · {t(`signing.identity.${signer.identity}`)}
          {(signer.email || signer.phone) && (
            <>
              {' · '}
              <Num>{signer.email ?? signer.phone}</Num>
            </>
          )}
          {at && (
            <>
              {' · '}
              {t(
                signer.signedAt
                  ? 'signRequests.signedAt'
                  : signer.openedAt
                    ? 'signRequests.openedAt'
                    : 'signRequests.sentAt',
              )}{' '}
              <Num>{formatMoment(new Date(at))}</Num>
            </>
          )}
        </span>
        {signer.url && (
          <span className="sg-row">
            <Button size="s" icon={Copy} onPress={() => copy(signer.url!)}>
              {t('signing.copyLink')}
            </Button>
            <Button size="s" icon={Smartphone} href={`/signdoc/${signer.url.split('/').at(-1)}`}>
              {t('signRequests.here')}
            </Button>
            <Button size="s" icon={QrCode} onPress={onShow}>
              {t('signRequests.qr')}
            </Button>
            <Button
              size="s"
              icon={MessageCircle}
              onPress={() =>
                void window.open(
                  whatsAppLink(
                    signer.phone,
                    t('signRequests.whatsApp', { name: request.name, link: signer.url! }),
                  ),
                  '_blank',
                  'noopener,noreferrer',
                )
              }
            >
              WhatsApp
            </Button>
          </span>
        )}
      </span>
      <StatusPill tone={tones[signer.state] ?? 'plain'}>
        {t(`signRequests.signer.${signer.state}`)}
      </StatusPill>
    </div>
  )
}

function RecallDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useWords()
  const recall = async (reason: string) => {
    await call(recallRequest, { id, reason })
    void refresh(id)
    onClose()
    banner.success(t('signRequests.recalled'))
  }
  return (
    <ReasonDialog
      title={t('signRequests.recall')}
      verb={t('signRequests.recall')}
      danger
      label={t('signRequests.reason')}
      optional
      max={500}
      onClose={onClose}
      onReason={recall}
    >
      <p>{t('signRequests.recallText')}</p>
    </ReasonDialog>
  )
}
