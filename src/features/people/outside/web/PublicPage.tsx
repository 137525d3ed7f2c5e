import { formatDay } from '#domain/format.ts'
import { useCall } from '#kit/web/calls/call.ts'
import { FileButton } from '#kit/web/parts/FileButton.tsx'
import { fileSize } from '#kit/web/parts/FileDrop.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { BusinessPage } from '#kit/web/public/BusinessPage.tsx'
import { Lead, Sealed } from '#kit/web/public/Lead.tsx'
import { useBytesUrl } from '#kit/web/calls/useBytesUrl.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { pageLogoOfOutside, pageOfOutside, pagePdfOfOutside } from '../endpoints.ts'
import { Viewer } from './Viewer.tsx'

/** A document from elsewhere as its customer sees it: the key in the address is the right. */
export function Screen() {
  const t = useWords()
  const key = usePlace().params.key ?? ''
  const asked = useCall(pageOfOutside, { key }, { refetchOnWindowFocus: false, staleTime: 5 * 60_000 })
  return (
    <BusinessPage
      asked={asked}
      pageKey={key}
      logo={pageLogoOfOutside}
      title={(data) => data.name}
      missing={{ title: t('documents.pay.notFound'), text: t('documents.pay.notFoundText') }}
    >
      {(data) => (
        <>
          <Lead label={data.name} title={<bdi>{data.name}</bdi>}>
            <p className="sub">
              <bdi>{data.business.name}</bdi> · <Num>{formatDay(data.day)}</Num> ·{' '}
              {t('outsideDocuments.pagesAndSize', { pages: data.pages, size: fileSize(data.size) })}
            </p>
            {data.customer && (
              <p className="sub">
                {t('documents.pay.for')} <bdi>{data.customer}</bdi>
              </p>
            )}
            <FileButton kind="primary" size="l" endpoint={pagePdfOfOutside} input={{ key }}>
              {t('documents.pay.download')}
            </FileButton>
            <Sealed by={data.business.name} />
          </Lead>
          {navigator.pdfViewerEnabled && <Paper pageKey={key} name={data.name} />}
        </>
      )}
    </BusinessPage>
  )
}

function Paper({ pageKey, name }: { pageKey: string; name: string }) {
  return <Viewer url={useBytesUrl(pagePdfOfOutside, pageKey, true, { inline: 'true' })} name={name} />
}
