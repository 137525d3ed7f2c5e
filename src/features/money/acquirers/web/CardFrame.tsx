import { Link2Off, Undo2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { useCall } from '#kit/web/calls/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { KeyPage } from '#kit/web/public/KeyPage.tsx'
import { Lead } from '#kit/web/public/Lead.tsx'
import { useTitle } from '#kit/web/routes/router.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { cardFrame } from '../endpoints.ts'
import './acquirers.css'

type Framed = OutputOf<typeof cardFrame>

/**
 * Holds the frame of an acquirer without a payment page: the card is typed inside it, and never reaches this page.
 */
export function Screen() {
  const t = useWords()
  const key = usePlace().params.key ?? ''
  const asked = useCall(cardFrame, { key }, { refetchOnWindowFocus: false, staleTime: Infinity })
  useTitle(t('screens.cardFrame'))
  return (
    <KeyPage
      narrow
      asked={asked}
      missing={{
        icon: Link2Off,
        title: t('acquirers.frame.notFound'),
        text: t('acquirers.frame.notFoundText'),
      }}
    >
      {(data) => <Frame of={data} />}
    </KeyPage>
  )
}

interface Told {
  Name?: string
  Value?: { Status?: string; Message?: string } | string
}

/**
 * What the acquirer's form needs: its scripts, sending the card, dialogs about what was mistyped, and for the
 * identification of the cardholder (3-D Secure, bit) a window of the bank or, after a press, leaving for the
 * bank. The way back needs no permission: the form sends a message and this page goes to `returnTo`, so
 * without a press the form cannot lead the payer elsewhere.
 */
const formMay = [
  'allow-scripts',
  'allow-forms',
  'allow-modals',
  'allow-popups',
  'allow-popups-to-escape-sandbox',
  'allow-top-navigation-by-user-activation',
]

/**
 * The form also keeps its own origin, which its session needs and by which its messages are known. Only
 * another origin may: a frame of this page's origin could take off its sandbox.
 */
const sandboxOf = (src: string): string =>
  [...formMay, ...(new URL(src).origin === location.origin ? [] : ['allow-same-origin'])].join(' ')

function Frame({ of }: { of: Framed }) {
  const t = useWords()
  const frame = useRef<HTMLIFrameElement>(null)
  const [refused, setRefused] = useState('')
  const [height, setHeight] = useState(360)
  const [busy, setBusy] = useState(false)
  const { src, returnTo } = of
  useEffect(() => {
    if (!src) return
    const { origin } = new URL(src)
    const hear = ({ origin: from, source, data }: MessageEvent<Told>) => {
      if (
        from !== origin ||
        source !== frame.current?.contentWindow ||
        typeof data !== 'object' ||
        data === null
      )
        return
      if (data.Name === 'Height' && Number(data.Value) > 0) setHeight(Math.min(1200, Number(data.Value) + 20))
      if (data.Name !== 'TransactionResponse' || typeof data.Value !== 'object') return
      // What became of it is asked of the acquirer itself, whatever its frame says.
      if (data.Value.Status === 'Error') {
        setBusy(false)
        setRefused(data.Value.Message ?? '')
      } else location.href = returnTo
    }
    addEventListener('message', hear)
    return () => removeEventListener('message', hear)
  }, [src, returnTo])
  const pay = () => {
    setRefused('')
    setBusy(true)
    frame.current?.contentWindow?.postMessage(
      { Name: 'FinishTransaction2', Value: of.post },
      new URL(src).origin,
    )
  }
  return (
    <Lead
      label={t('screens.cardFrame')}
      title={
        <>
          <bdi>{of.business}</bdi> · <bdi>{of.description}</bdi>
        </>
      }
      {...(of.deed === 'card' ? {} : { sum: <Money amount={of.amountAgorot} /> })}
    >
      {of.isOpen ? (
        <div className="aq-page">
          {refused && <Note tone="late">{refused}</Note>}
          <iframe
            ref={frame}
            src={src}
            sandbox={sandboxOf(src)}
            title={t('acquirers.frame.title')}
            className="aq-frame"
            style={{ blockSize: height }}
          />
          <div className="aq-acts">
            <Button kind="primary" size="l" busy={busy} onPress={pay}>
              {t(of.deed === 'card' ? 'acquirers.frame.keep' : 'acquirers.frame.pay')}
            </Button>
            <Button kind="quiet" icon={Undo2} m href={returnTo}>
              {t('acquirers.frame.back')}
            </Button>
          </div>
        </div>
      ) : (
        <>
          <p>{t('acquirers.frame.closed')}</p>
          <Button kind="primary" href={returnTo}>
            {t('acquirers.frame.back')}
          </Button>
        </>
      )}
    </Lead>
  )
}
