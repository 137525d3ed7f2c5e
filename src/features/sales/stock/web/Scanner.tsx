import { CameraOff } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import './stock.css'

const widest = 960
const between = 120
/** The same code is not read again so soon: a label stays before the camera longer than a press. */
const again = 1500

/** The camera as a scanner; each picture is read beside the page. */
export function Scanner({ onCode }: { onCode: (code: string) => void }) {
  const t = useWords()
  const video = useRef<HTMLVideoElement>(null)
  const [state, setState] = useState<'opens' | 'sees' | 'refused'>('opens')
  const [seen, setSeen] = useState('')
  const told = useEffectEvent(onCode)
  useEffect(() => {
    let stopped = false
    let stream: MediaStream | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const worker = new Worker(new URL('./scan.worker.ts', import.meta.url), { type: 'module' })
    const canvas = document.createElement('canvas')
    let [last, at] = ['', 0]
    const look = () => {
      const from = video.current
      if (stopped || !from) return
      if (!from.videoWidth) {
        timer = setTimeout(look, between)
        return
      }
      const scale = Math.min(1, widest / from.videoWidth)
      canvas.width = Math.round(from.videoWidth * scale)
      canvas.height = Math.round(from.videoHeight * scale)
      const context = canvas.getContext('2d', { willReadFrequently: true })
      if (!context) return
      context.drawImage(from, 0, 0, canvas.width, canvas.height)
      worker.postMessage(context.getImageData(0, 0, canvas.width, canvas.height))
    }
    worker.addEventListener('message', (event: MessageEvent<string | null>) => {
      const code = event.data
      const now = performance.now()
      if (code && (code !== last || now - at > again)) {
        ;[last, at] = [code, now]
        setSeen(code)
        told(code)
      }
      if (!stopped) timer = setTimeout(look, between)
    })
    const begin = async () => {
      try {
        // Absent where the page is not secure.
        const opened = await navigator.mediaDevices.getUserMedia({
          video: { facingMode: 'environment', width: { ideal: 1280 } },
          audio: false,
        })
        stream = opened
        if (stopped || !video.current) {
          for (const track of opened.getTracks()) track.stop()
          return
        }
        video.current.srcObject = opened
        await video.current.play()
        setState('sees')
        look()
      } catch {
        if (!stopped) setState('refused')
      }
    }
    void begin()
    return () => {
      stopped = true
      clearTimeout(timer)
      worker.terminate()
      for (const track of stream?.getTracks() ?? []) track.stop()
    }
  }, [])
  return (
    <div className="st-scan">
      <video ref={video} muted playsInline aria-label={t('stock.scan.camera')} />
      {state === 'refused' ? (
        <p>
          <Icon of={CameraOff} /> {t('stock.scan.refused')}
        </p>
      ) : (
        <>
          <span className="frame" aria-hidden />
          <p role="status">{seen ? t('stock.scan.seen', { code: seen }) : t('stock.scan.looking')}</p>
        </>
      )}
    </div>
  )
}
