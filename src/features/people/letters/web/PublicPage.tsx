import { formatDay } from '#domain/format.ts'
import { useCall } from '#kit/web/calls/call.ts'
import { FileButton } from '#kit/web/parts/FileButton.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { BusinessPage } from '#kit/web/public/BusinessPage.tsx'
import { Lead, Sealed } from '#kit/web/public/Lead.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { PaperPages } from '#features/sales/documents/web/index.tsx'
import { pageLogoOfLetter, pageOfLetter, pagePdfOfLetter } from '../endpoints.ts'
import './letters.css'

/** A letter as its customer reads it: the key in the address is the right. */
export function Screen() {
  const t = useWords()
  const key = usePlace().params.key ?? ''
  const asked = useCall(pageOfLetter, { key }, { refetchOnWindowFocus: false, staleTime: 5 * 60_000 })
  return (
    <BusinessPage
      asked={asked}
      pageKey={key}
      logo={pageLogoOfLetter}
      title={(data) => data.title}
      missing={{ title: t('letters.page.notFound'), text: t('letters.page.notFoundText') }}
    >
      {(data) => (
        <>
          <Lead label={data.title} title={<bdi>{data.title}</bdi>}>
            <p className="sub">
              <bdi>{data.business.name}</bdi> · <Num>{formatDay(data.day)}</Num>
            </p>
            {data.customer && (
              <p className="sub">
                {t('letters.to')} <bdi>{data.customer}</bdi>
              </p>
            )}
            <FileButton kind="primary" size="l" endpoint={pagePdfOfLetter} input={{ key }}>
              {t('letters.page.download')}
            </FileButton>
            <Sealed by={data.business.name} />
          </Lead>
          <div className="le-sheets">
            <PaperPages pages={data.pages} label={data.title} />
          </div>
        </>
      )}
    </BusinessPage>
  )
}
