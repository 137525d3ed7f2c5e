import { Copy, Download, FileX2, Landmark, Mail, Phone } from 'lucide-react'
import { Suspense, useState } from 'react'
import { documentTypeById } from '../../../domain/documents/kinds.ts'
import { formatDay } from '../../../domain/format.ts'
import { callFile, failureText, useCall } from '../../../kit/web/call.ts'
import { Button } from '../../../kit/web/parts/Button.tsx'
import { Card } from '../../../kit/web/parts/Card.tsx'
import { EmptyState } from '../../../kit/web/parts/EmptyState.tsx'
import { Money } from '../../../kit/web/parts/Figure.tsx'
import { Icon } from '../../../kit/web/parts/Icon.tsx'
import { Num } from '../../../kit/web/parts/Num.tsx'
import { Skeleton } from '../../../kit/web/parts/Skeleton.tsx'
import { StatusPill } from '../../../kit/web/parts/Status.tsx'
import { usePlace } from '../../../kit/web/place.ts'
import { useTitle } from '../../../kit/web/router.tsx'
import { partsOf } from '../../../kit/web/screens/places.ts'
import { LanguageMenu } from '../../../kit/web/shell/LanguageMenu.tsx'
import { PublicFoot } from '../../../kit/web/shell/PublicFrame.tsx'
import { banner } from '../../../kit/web/shell/banner.ts'
import { useBytesUrl } from '../../../kit/web/useBytesUrl.ts'
import { useOwnLanguage } from '../../../kit/web/useOwnLanguage.ts'
import { useWords } from '../../../kit/web/words.tsx'
import { pageLogo, pageOfDocument, pagePdf } from '../endpoints.ts'
import './documents.css'
import { PageFiles } from './PageFiles.tsx'
import { PaperPages } from './PaperPages.tsx'
import { paperName } from './words.ts'

/** A document as its customer sees it: the key in the address is the right. */
export function Screen() {
  const t = useWords()
  const { params } = usePlace()
  const key = params.key ?? ''
  const { data, error, refetch } = useCall(pageOfDocument, { key }, { refetchOnWindowFocus: false, staleTime: 5 * 60_000 })
  const logo = useBytesUrl(pageLogo, key, data?.hasLogo ?? false)
  const [busy, setBusy] = useState(false)
  useTitle(data && `${paperName(t, data)}, ${data.business.name}`)
  useOwnLanguage(data?.language)

  const download = async () => {
    setBusy(true)
    try {
      await callFile(pagePdf, { key })
    } catch (e) {
      banner.error(failureText(t, e))
    }
    setBusy(false)
  }
  if (error)
    return (
      <main id="content" tabIndex={-1} className="doc-pay">
        <div className="s-state">
          <EmptyState icon={FileX2} title={t('documents.pay.notFound')}>
            {t('documents.pay.notFoundText')}
          </EmptyState>
        </div>
      </main>
    )
  if (!data)
    return (
      <main id="content" tabIndex={-1} className="doc-pay">
        <div className="doc-payinner">
          <Skeleton lines={5} />
        </div>
      </main>
    )
  const isDebt = data.openAgorot > 0 && data.status !== 'cancelled' && documentTypeById(data.type) !== 'creditInvoice'
  const name = paperName(t, data)
  return (
    <div className="doc-pay">
      <div className="doc-paystrip" style={{ background: data.accent }} aria-hidden />
      <header className="doc-payhead">
        {logo ? <img src={logo} alt={data.business.name} /> : <b className="text-18 font-medium">{data.business.name}</b>}
        <span className="grow" />
        <LanguageMenu full />
      </header>
      <main id="content" tabIndex={-1} className="doc-payinner">
        <section className="doc-paysum" aria-label={name}>
          <h1 className="text-15">
            {name}
            <span className="sub">
              {' '}
              · <bdi>{data.business.name}</bdi>
            </span>
          </h1>
          <p className="sum">
            <Money amount={data.totalAgorot} currency={data.currency} />
          </p>
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
            <Button kind="primary" size="l" icon={Download} busy={busy} onPress={() => void download()}>
              {t('documents.pay.download')}
            </Button>
          ) : (
            <p className="hint">{t('documents.pay.opening')}</p>
          )}
        </section>
        {isDebt && data.business.bankDetails && (
          <Card title={t('documents.pay.transfer')}>
            <div className="flex gap-3">
              <span className="k-tile">
                <Icon of={Landmark} />
              </span>
              <p dir="auto" className="grow whitespace-pre-line">
                {data.business.bankDetails}
              </p>
              <Button
                kind="quiet"
                size="s"
                icon={Copy}
                label={t('documents.pay.copy')}
                onPress={() =>
                  void navigator.clipboard.writeText(data.business.bankDetails).then(() => banner.success(t('documents.pay.copied')))
                }
              />
            </div>
            <p className="hint mt-2 text-13">{t('documents.pay.mention', { name })}</p>
          </Card>
        )}
        {partsOf('documentPage').map((Part, i) => (
          <Suspense key={i} fallback={null}>
            <Part of={key} refresh={() => void refetch()} />
          </Suspense>
        ))}
        {data.pages.length > 0 && (
          <div className="doc-pages">
            <PaperPages pages={data.pages} label={name} />
          </div>
        )}
        <PageFiles pageKey={key} files={data.files} />
        <p className="doc-paycontact">
          <span>
            <bdi>{data.business.name}</bdi> · <Num>{data.business.taxId}</Num>
          </span>
          {data.business.phone && (
            <a href={`tel:${data.business.phone.replace(/[^\d+*]/g, '')}`}>
              <Icon of={Phone} size="s" /> <Num>{data.business.phone}</Num>
            </a>
          )}
          {data.business.email && (
            <a href={`mailto:${data.business.email}`}>
              <Icon of={Mail} size="s" /> <Num>{data.business.email}</Num>
            </a>
          )}
        </p>
      </main>
      <PublicFoot />
    </div>
  )
}
