import { Download, FileX2, Mail, Phone, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { formatDay } from '../../../domain/format.ts'
import { callFile, failureText, useCall } from '../../../kit/web/call.ts'
import { Button } from '../../../kit/web/parts/Button.tsx'
import { EmptyState } from '../../../kit/web/parts/EmptyState.tsx'
import { Icon } from '../../../kit/web/parts/Icon.tsx'
import { Num } from '../../../kit/web/parts/Num.tsx'
import { Skeleton } from '../../../kit/web/parts/Skeleton.tsx'
import { usePlace } from '../../../kit/web/place.ts'
import { useTitle } from '../../../kit/web/router.tsx'
import { LanguageMenu } from '../../../kit/web/shell/LanguageMenu.tsx'
import { PublicFoot } from '../../../kit/web/shell/PublicFrame.tsx'
import { banner } from '../../../kit/web/shell/banner.ts'
import { useOwnLanguage } from '../../../kit/web/useOwnLanguage.ts'
import { useBytesUrl } from '../../../kit/web/useBytesUrl.ts'
import { useWords } from '../../../kit/web/words.tsx'
import { PaperPages } from '../../documents/web/index.tsx'
import { pageLogoOfLetter, pageOfLetter, pagePdfOfLetter } from '../endpoints.ts'
import './letters.css'

/** A letter as its customer reads it: the key in the address is the right. */
export function Screen() {
  const t = useWords()
  const { params } = usePlace()
  const key = params.key ?? ''
  const { data, error } = useCall(pageOfLetter, { key }, { refetchOnWindowFocus: false, staleTime: 5 * 60_000 })
  const logo = useBytesUrl(pageLogoOfLetter, key, data?.hasLogo ?? false)
  const [busy, setBusy] = useState(false)
  useTitle(data && `${data.title}, ${data.business.name}`)
  useOwnLanguage(data?.language)
  const download = async () => {
    setBusy(true)
    try {
      await callFile(pagePdfOfLetter, { key })
    } catch (e) {
      banner.error(failureText(t, e))
    }
    setBusy(false)
  }
  if (error)
    return (
      <main id="content" tabIndex={-1} className="le-public">
        <div className="s-state">
          <EmptyState icon={FileX2} title={t('letters.page.notFound')}>
            {t('letters.page.notFoundText')}
          </EmptyState>
        </div>
      </main>
    )
  if (!data)
    return (
      <main id="content" tabIndex={-1} className="le-public">
        <div className="le-inner">
          <Skeleton lines={5} />
        </div>
      </main>
    )
  return (
    <div className="le-public">
      <div className="le-strip" style={{ background: data.accent }} aria-hidden />
      <header className="le-head">
        {logo ? <img src={logo} alt={data.business.name} /> : <b className="text-18 font-medium">{data.business.name}</b>}
        <span className="grow" />
        <LanguageMenu full />
      </header>
      <main id="content" tabIndex={-1} className="le-inner">
        <section className="le-about" aria-label={data.title}>
          <h1>
            <bdi>{data.title}</bdi>
          </h1>
          <p className="sub">
            <bdi>{data.business.name}</bdi> · <Num>{formatDay(data.day)}</Num>
          </p>
          {data.customer && (
            <p className="sub">
              {t('letters.to')} <bdi>{data.customer}</bdi>
            </p>
          )}
          <Button kind="primary" size="l" icon={Download} busy={busy} onPress={() => void download()}>
            {t('letters.page.download')}
          </Button>
          <p className="le-sealed hint text-13">
            <Icon of={ShieldCheck} size="s" /> {t('letters.page.sealed', { business: data.business.name })}
          </p>
        </section>
        <div className="le-sheets">
          <PaperPages pages={data.pages} label={data.title} />
        </div>
        <p className="le-contact">
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
