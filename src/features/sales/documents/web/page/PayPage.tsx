import { Landmark } from 'lucide-react'
import { Suspense } from 'react'
import { documentTypeById } from '#domain/documents/kinds.ts'
import { formatDay } from '#domain/format.ts'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { useCall } from '#kit/web/call.ts'
import { Money } from '#kit/web/parts/Figure.tsx'
import { FileButton } from '#kit/web/parts/FileButton.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { usePlace } from '#kit/web/place.ts'
import { BusinessPage } from '#kit/web/public/BusinessPage.tsx'
import { CopyCard } from '#kit/web/public/CopyCard.tsx'
import { Lead } from '#kit/web/public/Lead.tsx'
import { partsOf } from '#kit/web/screens/places.ts'
import { useWords } from '#kit/web/words.tsx'
import { pageLogo, pageOfDocument, pagePdf } from '../../endpoints.ts'
import '../documents.css'
import { PageFiles } from './PageFiles.tsx'
import { PaperPages } from './PaperPages.tsx'
import { paperName } from '../words.ts'

/** A document as its customer sees it: the key in the address is the right. */
export function Screen() {
  const t = useWords()
  const key = usePlace().params.key ?? ''
  const asked = useCall(pageOfDocument, { key }, { refetchOnWindowFocus: false, staleTime: 5 * 60_000 })
  return (
    <BusinessPage
      asked={asked}
      pageKey={key}
      logo={pageLogo}
      title={(data) => paperName(t, data)}
      missing={{ title: t('documents.pay.notFound'), text: t('documents.pay.notFoundText') }}
    >
      {(data) => <Inside data={data} pageKey={key} refresh={() => void asked.refetch()} />}
    </BusinessPage>
  )
}

function Inside({
  data,
  pageKey: key,
  refresh,
}: {
  data: OutputOf<typeof pageOfDocument>
  pageKey: string
  refresh: () => void
}) {
  const t = useWords()
  const isDebt =
    data.openAgorot > 0 && data.status !== 'cancelled' && documentTypeById(data.type) !== 'creditInvoice'
  const name = paperName(t, data)
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
          {data.status === 'cancelled' ? (
            <StatusPill tone="wait">{t('documents.status.cancelled')}</StatusPill>
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
      {isDebt && (
        <CopyCard
          title={t('documents.pay.transfer')}
          icon={Landmark}
          text={data.business.bankDetails}
          hint={t('documents.pay.mention', { name })}
        />
      )}
      {partsOf('documentPage').map((Part, i) => (
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
