import { Download, FileX2, Mail, Phone, ShieldCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import { formatDay } from '../../../domain/format.ts'
import { callBytes, callFile, failureText, useCall } from '../../../kit/web/call.ts'
import { Button } from '../../../kit/web/parts/Button.tsx'
import { EmptyState } from '../../../kit/web/parts/EmptyState.tsx'
import { fileSize } from '../../../kit/web/parts/FileDrop.tsx'
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
import { pageLogoOfOutside, pageOfOutside, pagePdfOfOutside } from '../endpoints.ts'
import './outside.css'

/** A document from elsewhere as its customer sees it: the key in the address is the right. */
export function Screen() {
  const t = useWords()
  const { params } = usePlace()
  const key = params.key ?? ''
  const { data, error } = useCall(pageOfOutside, { key }, { refetchOnWindowFocus: false, staleTime: 5 * 60_000 })
  const logo = useBytesUrl(pageLogoOfOutside, key, data?.hasLogo ?? false)
  const paper = useBytes(data !== undefined && navigator.pdfViewerEnabled, () =>
    callBytes(pagePdfOfOutside, { key, inline: 'true' }, { quiet: true }),
  )
  const [busy, setBusy] = useState(false)
  useTitle(data && `${data.name}, ${data.business.name}`)
  useOwnLanguage(data?.language)
  const download = async () => {
    setBusy(true)
    try {
      await callFile(pagePdfOfOutside, { key })
    } catch (e) {
      banner.error(failureText(t, e))
    }
    setBusy(false)
  }
  if (error)
    return (
      <main id="content" tabIndex={-1} className="ou-public">
        <div className="s-state">
          <EmptyState icon={FileX2} title={t('documents.pay.notFound')}>
            {t('documents.pay.notFoundText')}
          </EmptyState>
        </div>
      </main>
    )
  if (!data)
    return (
      <main id="content" tabIndex={-1} className="ou-public">
        <div className="ou-inner">
          <Skeleton lines={5} />
        </div>
      </main>
    )
  return (
    <div className="ou-public">
      <div className="ou-strip" style={{ background: data.accent }} aria-hidden />
      <header className="ou-head">
        {logo ? <img src={logo} alt={data.business.name} /> : <b className="text-18 font-medium">{data.business.name}</b>}
        <span className="grow" />
        <LanguageMenu full />
      </header>
      <main id="content" tabIndex={-1} className="ou-inner">
        <section className="ou-about" aria-label={data.name}>
          <h1>
            <bdi>{data.name}</bdi>
          </h1>
          <p className="sub">
            <bdi>{data.business.name}</bdi> · <Num>{formatDay(data.day)}</Num> ·{' '}
            {t('outsideDocuments.pagesAndSize', { pages: data.pages, size: fileSize(data.size) })}
          </p>
          {data.customer && (
            <p className="sub">
              {t('documents.pay.for')} <bdi>{data.customer}</bdi>
            </p>
          )}
          <Button kind="primary" size="l" icon={Download} busy={busy} onPress={() => void download()}>
            {t('documents.pay.download')}
          </Button>
          <p className="ou-sealed hint text-13">
            <Icon of={ShieldCheck} size="s" /> {t('outside.page.sealed', { business: data.business.name })}
          </p>
        </section>
        {navigator.pdfViewerEnabled &&
          (paper ? (
            // The browser's own viewer shows nothing inside a sandbox; what runs in a PDF was refused when it came in.
            // oxlint-disable-next-line react/iframe-missing-sandbox
            <iframe className="ou-frame" src={`${paper}#navpanes=0`} title={data.name} />
          ) : (
            <Skeleton lines={6} />
          ))}
        <p className="ou-contact">
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

/** An address for bytes that come by a call; nothing when they do not come. */
function useBytes(wanted: boolean, ask: () => Promise<{ blob: Blob }>): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (!wanted) return
    let made: string | undefined
    let isGone = false
    void ask()
      .then(({ blob }) => {
        if (isGone) return
        made = URL.createObjectURL(blob)
        setUrl(made)
      })
      .catch(() => undefined)
    return () => {
      isGone = true
      if (made) URL.revokeObjectURL(made)
    }
    // The question is the same for as long as the page stands.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [wanted])
  return url
}
