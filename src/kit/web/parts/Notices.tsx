import { Check, X } from 'lucide-react'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { useWords } from '../words/words.tsx'
import { Banner } from './Banner.tsx'
import { Button } from './Button.tsx'
import { Icon } from './Icon.tsx'
import { notices, type ToastNotice } from './notices.ts'
import { useKeys } from './useKeys.ts'

const useNotices = () => useSyncExternalStore(notices.subscribe, notices.now, notices.now)

/** Where banners stand: once, at the top of the content. */
export function Banners() {
  const { banners } = useNotices()
  if (banners.length === 0) return null
  return (
    <div className="mb-4 grid gap-2">
      {banners.map((one) => (
        <Banner
          key={one.id}
          tone={one.tone}
          action={one.action}
          seconds={one.seconds}
          onClose={() => notices.close(one.id)}
        >
          {one.text}
        </Banner>
      ))}
    </div>
  )
}

/** The place of toasts: once, in the frame. Ctrl+Z undoes the newest. */
export function Toasts() {
  const { toasts, coming } = useNotices()
  const t = useWords()
  const newest = toasts.findLast((one) => one.undo)
  useKeys(
    coming ? { 'mod+z': () => void notices.cancelComing() } : newest ? { 'mod+z': () => take(newest) } : {},
  )
  return (
    <div className="k-toasts" role="region" aria-label={t('kit.toast.region')} aria-live="polite">
      {toasts.map((one) => (
        <Toast key={one.id} of={one} newest={one === newest} />
      ))}
    </div>
  )
}

const take = (one: ToastNotice) => {
  notices.close(one.id)
  one.undo?.()
}

function Toast({ of: one, newest }: { of: ToastNotice; newest: boolean }) {
  const t = useWords()
  const rests = useRef(false)
  useEffect(() => {
    let left = one.seconds * 4
    const timer = setInterval(() => {
      if (!rests.current && --left <= 0) notices.close(one.id)
    }, 250)
    return () => clearInterval(timer)
  }, [one])
  const rest = (on: boolean) => () => void (rests.current = on)
  return (
    <div
      className="k-toast"
      onPointerEnter={rest(true)}
      onPointerLeave={rest(false)}
      onFocus={rest(true)}
      onBlur={rest(false)}
    >
      <Icon of={Check} />
      <span className="grow">{one.text}</span>
      {one.undo && (
        <Button kind="quiet" hi keys={newest ? 'Ctrl Z' : undefined} onPress={() => take(one)}>
          {t('kit.actions.undo')}
        </Button>
      )}
      <Button
        kind="quiet"
        icon={X}
        size="s"
        label={t('kit.actions.close')}
        onPress={() => notices.close(one.id)}
      />
    </div>
  )
}
