import { Landmark, ReceiptText } from 'lucide-react'
import { Suspense } from 'react'
import { Link } from 'react-aria-components/Link'
import { statusFacts, typeFacts } from '#domain/documents/facts.ts'
import { documentTypeById } from '#domain/documents/kinds.ts'
import { formatDay } from '#domain/format.ts'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { useCall } from '#kit/web/calls/call.ts'
import { Card, Rows } from '#kit/web/parts/Card.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { FileButton } from '#kit/web/parts/FileButton.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { BusinessPage } from '#kit/web/public/BusinessPage.tsx'
import { CopyCard } from '#kit/web/public/CopyCard.tsx'
import { Lead } from '#kit/web/public/Lead.tsx'
import { usePlaced } from '#kit/web/screens/places.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { pageLogo, pageOfDocument, pagePdf } from '../../endpoints.ts'
import '../documents.css'
import { PageFiles } from './PageFiles.tsx'
import { PaperPages } from './PaperPages.tsx'
import { documentName, paperName } from '../words.ts'

/** A document as its customer sees it: the key in the address is the right. */
export function Screen() {
  const t = useWords()
  const key = usePlace().params.key ?? ''
  const asked = useCall(pageOfDocument, { key }, { refetchOnWindowFocus: false, staleTime: 5 * 60_000 })
  const { parts, waits } = usePlaced('documentPage', key)
  return (
    <BusinessPage
      // How it is signed and paid is above the document: the page comes with it, or would move.
      asked={waits ? { ...asked, data: undefined } : asked}
      pageKey={key}
      logo={pageLogo}
      title={(data) => paperName(t, data)}
      missing={{ title: t('documents.pay.notFound'), text: t('documents.pay.notFoundText') }}
    >
      {(data) => <Inside data={data} parts={parts} pageKey={key} refresh={() => void asked.refetch()} />}
    </BusinessPage>
  )
}

function Inside({
  data,
  parts,
  pageKey: key,
  refresh,
}: {
  data: OutputOf<typeof pageOfDocument>
  parts: ReturnType<typeof usePlaced>['parts']
  pageKey: string
  refresh: () => void
}) {
  const t = useWords()
  const isDebt =
    data.openAgorot > 0 &&
    !statusFacts(data.status).isCancelled &&
    documentTypeById(data.type) !== 'creditInvoice'
  const name = paperName(t, data)
  // What a credit closed was not paid; an invoice with its receipt says so already.
  const isPaid =
    statusFacts(data.status).isLive &&
    (typeFacts(data.type).isPaidInvoice ||
      (typeFacts(data.type).isToBePaid && data.openAgorot <= 0 && data.receipts.length > 0))
  return (
    <>
      <Lead
        label={name}
        title={
          <>
            {name}
            <span className="sub">
              {' '}
              · <bdi>{data.business.name}</bdi>
            </span>
          </>
        }
        sum={<Money amount={data.totalAgorot} currency={data.currency} />}
      >
        <div className="sub">
          {statusFacts(data.status).isCancelled ? (
            <StatusPill tone="wait">{t('documents.status.cancelled')}</StatusPill>
          ) : isPaid ? (
            <>
              <StatusPill tone="done">{t('documents.pay.paid')}</StatusPill>
              <p>
                {t('documents.fields.day')} <Num>{formatDay(data.date)}</Num>
              </p>
            </>
          ) : isDebt && data.dueDate ? (
            <p>
              {t('documents.pay.due')} <Num>{formatDay(data.dueDate)}</Num>
            </p>
          ) : (
            <p>
              {t('documents.fields.day')} <Num>{formatDay(data.date)}</Num>
            </p>
          )}
          {isDebt && data.openAgorot !== data.totalAgorot && data.currency === 'ILS' && (
            <p>
              {t('documents.pay.left')} <Money amount={data.openAgorot} />
            </p>
          )}
          {data.customer && (
            <p>
              {t('documents.pay.for')} <bdi>{data.customer}</bdi>
            </p>
          )}
        </div>
        {data.opening === null ? (
          <FileButton kind="primary" size="l" endpoint={pagePdf} input={{ key }}>
            {t('documents.pay.download')}
          </FileButton>
        ) : (
          <p className="hint">{t('documents.pay.opening')}</p>
        )}
      </Lead>
      {data.receipts.length > 0 && (
        <Card title={t('documents.pay.receipts')}>
          <Rows label={t('documents.pay.receipts')}>
            {data.receipts.map((one) => (
              <div key={one.key}>
                <span className="k-tile">
                  <Icon of={ReceiptText} />
                </span>
                <span className="grow">
                  <Link className="t aim" href={`/paymentdoc/${one.key}`}>
                    {documentName(t, one.type, one.number)}
                  </Link>
                  <span className="s">
                    <Num>{formatDay(one.day)}</Num>
                  </span>
                </span>
                <Money amount={one.agorot} currency={data.currency} />
              </div>
            ))}
          </Rows>
        </Card>
      )}
      {isDebt && (
        <CopyCard
          title={t('documents.pay.transfer')}
          icon={Landmark}
          text={data.business.bankDetails}
          hint={t('documents.pay.mention', { name })}
        />
      )}
      {parts.map((Part, i) => (
        <Suspense key={i} fallback={null}>
          <Part of={key} refresh={refresh} />
        </Suspense>
      ))}
      {data.pages.length > 0 && (
        <div className="doc-pages">
          <PaperPages pages={data.pages} label={name} />
        </div>
      )}
      <PageFiles pageKey={key} files={data.files} />
    </>
  )
}
