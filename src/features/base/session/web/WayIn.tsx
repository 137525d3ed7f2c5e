import { Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useFailureText } from '#kit/web/calls/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Dialog } from '#kit/web/parts/Dialog.tsx'
import { Qr } from '#kit/web/parts/Qr.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { useCopy } from '#kit/web/hooks/useCopy.ts'
import { useLatest } from '#kit/web/hooks/useLatest.ts'
import { useStateFor } from '#kit/web/hooks/useStateFor.ts'
import { useWords } from '#kit/web/words/words.tsx'
import './account.css'

interface Made {
  url: string
  seconds: number
}

/**
 * A link that logs its person in somewhere else: for the camera of a phone or to be copied, as long as it
 * opens; then a new one can be made.
 */
export function WayIn({
  title,
  text,
  make,
  onClose,
}: {
  title: string
  text: string
  make: () => Promise<Made>
  onClose: () => void
}) {
  const t = useWords()
  const said = useFailureText()
  const copy = useCopy()
  const [turn, setTurn] = useState(0)
  const [way, setWay] = useStateFor<(Made & { endsAt: number }) | undefined>(turn, undefined)
  const [failure, setFailure] = useStateFor<string | undefined>(turn, undefined)
  const [left, setLeft] = useState(0)
  // Asked by a turn, whatever the page draws meanwhile.
  const latest = useLatest({ make, said })
  useEffect(() => {
    let isOver = false
    latest.current.make().then(
      (made) => {
        if (isOver) return
        setWay({ ...made, endsAt: performance.now() + made.seconds * 1000 })
        setLeft(made.seconds)
      },
      (e: unknown) => !isOver && setFailure(latest.current.said(e)),
    )
    return () => {
      isOver = true
    }
  }, [turn, latest, setWay, setFailure])
  useEffect(() => {
    if (!way) return
    const timer = setInterval(
      () => setLeft(Math.max(0, Math.ceil((way.endsAt - performance.now()) / 1000))),
      1000,
    )
    return () => clearInterval(timer)
  }, [way])
  const isOpen = way !== undefined && left > 0
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button kind="quiet" onPress={onClose}>
            {t('kit.actions.close')}
          </Button>
          {isOpen ? (
            <Button kind="primary" icon={Copy} onPress={() => copy(way.url)}>
              {t('session.wayIn.copy')}
            </Button>
          ) : (
            <Button kind="primary" busy={!way && !failure} onPress={() => setTurn(turn + 1)}>
              {t('session.wayIn.again')}
            </Button>
          )}
        </>
      }
    >
      <p>{text}</p>
      <div className="a-wayin">
        {failure ? (
          <Note tone="late">{failure}</Note>
        ) : isOpen ? (
          <>
            <Qr text={way.url} label={t('session.wayIn.qr')} />
            <p className="hint" role="timer">
              {t('session.wayIn.left', { seconds: left })}
            </p>
          </>
        ) : way ? (
          <Note tone="wait">{t('session.wayIn.over')}</Note>
        ) : (
          <Skeleton lines={5} />
        )}
      </div>
    </Dialog>
  )
}
