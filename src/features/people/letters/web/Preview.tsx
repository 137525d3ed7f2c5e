import { FileDown, FilePen, Link2, Mail, TriangleAlert } from 'lucide-react'
import { Link } from 'react-aria-components/Link'
import { formatDay, formatMoment } from '#domain/format.ts'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card, Rows } from '#kit/web/parts/Card.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { show } from '#kit/web/parts/shown.ts'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { useTitle } from '#kit/web/routes/router.tsx'
import { useCan } from '#kit/web/session/session.ts'
import { useCopy } from '#kit/web/hooks/useCopy.ts'
import { useFile } from '#kit/web/calls/useFile.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { documentName, PaperPages } from '#features/sales/documents/web/index.tsx'
import { AskDialog, Asked } from '#features/sales/signing/web/index.tsx'
import { getLetter, pdfOfLetter, picturesOfLetter, signLetter } from '../endpoints.ts'
import { letters } from '../letters.ts'
import { LetterState } from './dress.tsx'
import './letters.css'

/** A letter as it was sent, or as a draft would look: its paper, to whom it went and what became of it. */
export function Screen() {
  const t = useWords()
  const copy = useCopy()
  const file = useFile()
  const may = useCan()
  const { params } = usePlace()
  const id = params.documentkey ?? ''
  const { data, error } = useCall(
    getLetter,
    { id },
    { refetchInterval: ({ state }) => (state.data?.state === 'queued' ? 3000 : false) },
  )
  const pictures = useCall(picturesOfLetter, { id }, { enabled: data !== undefined, staleTime: 60_000 })
  useTitle(data?.title)
  if (error && !data)
    return (
      <EmptyState
        icon={TriangleAlert}
        title={t('letters.notFound')}
        actions={<Button href={letters.screens.list}>{t('letters.title')}</Button>}
      >
        {failureText(t, error)}
      </EmptyState>
    )
  if (!data) return <Skeleton lines={6} />
  const isSent = data.status === 'sent'
  const [customer] = data.customers
  return (
    <>
      <PageHeader
        crumbs={[{ label: t('letters.title'), href: letters.screens.list }]}
        title={<bdi>{data.title || t('letters.untitled')}</bdi>}
        status={<LetterState value={data.state} />}
        sub={
          <span className="le-sub">
            {isSent && customer ? (
              may('customers.see') ? (
                <Link className="aim" href={`/invoice/invoiceCustomer/${customer.id}/letters`}>
                  {customer.name}
                </Link>
              ) : (
                <bdi>{customer.name}</bdi>
              )
            ) : (
              t('letters.forMany', { count: data.customers.length })
            )}
            {data.day && <Num>{formatDay(data.day)}</Num>}
          </span>
        }
        actions={
          isSent ? (
            <>
              {data.url && (
                <Button icon={Link2} onPress={() => copy(data.url!)}>
                  {t('letters.copyLink')}
                </Button>
              )}
              <Button icon={FileDown} onPress={() => void file(pdfOfLetter, { id }, { open: true })}>
                PDF
              </Button>
            </>
          ) : (
            may(letters.allow.change) && (
              <Button kind="primary" icon={FilePen} href={`/invoice/InvoiceDocumentLetter/${id}`}>
                {t('letters.goOn')}
              </Button>
            )
          )
        }
      />
      <div className="le-desk" data-view>
        <div className="le-sheets">
          {pictures.error && <Note tone="late">{failureText(t, pictures.error)}</Note>}
          <PaperPages
            pages={pictures.data?.pages}
            failed={pictures.isError}
            label={data.title || t('letters.preview')}
          />
        </div>
        <div className="le-stack">
          {data.document && (
            <Note>
              {t('letters.about')}{' '}
              <Link className="link" href={`/invoice/preview/${data.document.id}`}>
                {documentName(t, data.document.type, data.document.number)}
              </Link>
            </Note>
          )}
          {isSent && (
            <Note tone="done">{t(data.state === 'printed' ? 'letters.isPrinted' : 'letters.isSealed')}</Note>
          )}
          {isSent && (
            <Asked
              about={id}
              purposes="letter"
              {...(may(letters.allow.change)
                ? {
                    onAsk: () =>
                      show((close) => (
                        <AskDialog
                          title={t('signing.ask.title', { name: data.title })}
                          customerId={customer?.id}
                          ask={(given) => call(signLetter, { id, ...given })}
                          onClose={close}
                        />
                      )),
                  }
                : {})}
            />
          )}
          {data.messages.length > 0 && (
            <Card title={t('letters.mails')}>
              <Rows>
                {data.messages.map((message) => (
                  <div key={message.id}>
                    <span className="k-tile">
                      <Icon of={Mail} />
                    </span>
                    <span className="grow">
                      <span className="t">
                        <Num>{message.recipient}</Num>
                      </span>
                      <span className="s">
                        <Num>{formatMoment(new Date(message.at))}</Num>
                        {message.openedAt && (
                          <> · {t('letters.openedAt', { at: formatMoment(new Date(message.openedAt)) })}</>
                        )}
                        {message.error && (
                          <>
                            {' · '}
                            <bdi>{message.error}</bdi>
                          </>
                        )}
                      </span>
                    </span>
                    <LetterState value={message.state} />
                  </div>
                ))}
              </Rows>
            </Card>
          )}
        </div>
      </div>
    </>
  )
}
