import { Eraser, ImageUp, PenLine, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { call, failureText, queryClient, useCall, putAnswer } from '#kit/web/calls/call.ts'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { Dialog, Question } from '#kit/web/parts/Dialog.tsx'
import { FileDrop } from '#kit/web/parts/FileDrop.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { banner } from '#kit/web/shell/banner.ts'
import { usePictureUrl } from '#kit/web/calls/useBytesUrl.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { dropSignature, getSignature, setSignature, signaturePicture } from '../../endpoints.ts'

/**
 * The signature of the business by hand: drawn here or brought as a picture, and printed on its papers while
 * it is on.
 */
export function Signature({ readOnly }: { readOnly: boolean }) {
  const t = useWords()
  const { data, error } = useCall(getSignature, {})
  const [draws, setDraws] = useState(false)
  const [asks, setAsks] = useState(false)
  const [busy, setBusy] = useState(false)
  const url = usePictureUrl(signaturePicture, data?.has ?? false, data?.version ?? null)
  const change = async (given: { image?: string; isOn?: boolean }, word: string) => {
    setBusy(true)
    try {
      putAnswer(getSignature, {}, await call(setSignature, given))
      void queryClient.invalidateQueries({ queryKey: ['documents.sample'] })
      setDraws(false)
      banner.success(t(word))
    } catch (e) {
      banner.error(failureText(t, e))
    }
    setBusy(false)
  }
  const bring = async (file: File | undefined) => {
    const image = file && (await smallPicture(file).catch(() => undefined))
    if (!file) return
    if (!image) return banner.error(t('errors.documents.badSignature', { smallest: 10, largest: 2000 }))
    await change({ image }, 'documents.signature.saved')
  }
  if (error && !data) return <Note tone="late">{failureText(t, error)}</Note>
  if (!data) return <Skeleton lines={4} />
  return (
    <div className="co-form">
      <section>
        <p className="sub">{t('documents.signature.text')}</p>
        <Card label={t('documents.signature.title')}>
          <div className="doc-sign">
            {url ? (
              <img src={url} alt={t('documents.signature.title')} />
            ) : (
              <p className="hint">{t('documents.signature.none')}</p>
            )}
            {!readOnly && (
              <div className="doc-signdo">
                <Button icon={PenLine} onPress={() => setDraws(true)}>
                  {t(data.has ? 'documents.signature.drawAnother' : 'documents.signature.draw')}
                </Button>
                {data.has && (
                  <Button kind="quiet" icon={Trash2} onPress={() => setAsks(true)}>
                    {t('documents.signature.drop')}
                  </Button>
                )}
              </div>
            )}
          </div>
        </Card>
        {!readOnly && (
          <FileDrop
            icon={ImageUp}
            accept="image/png,image/jpeg,image/webp"
            limit={10_000_000}
            label={t('documents.signature.bring')}
            onFiles={([file]) => void bring(file)}
          >
            {t('documents.signature.bring')}
          </FileDrop>
        )}
        <FlagField
          as="switch"
          label={t('documents.signature.isOn')}
          hint={t(data.has ? 'documents.signature.isOnHint' : 'documents.signature.first')}
          value={data.isOn}
          disabled={readOnly || !data.has || busy}
          onChange={(isOn) =>
            void change({ isOn }, isOn ? 'documents.signature.switchedOn' : 'documents.signature.switchedOff')
          }
        />
      </section>
      {draws && (
        <Pad
          busy={busy}
          onClose={() => setDraws(false)}
          onDone={(image) => void change({ image }, 'documents.signature.saved')}
        />
      )}
      <Question
        isOpen={asks}
        onClose={() => setAsks(false)}
        title={t('documents.signature.dropAsk')}
        verb={t('documents.signature.drop')}
        danger
        onConfirm={async () => {
          try {
            putAnswer(getSignature, {}, await call(dropSignature, {}))
            void queryClient.invalidateQueries({ queryKey: ['documents.sample'] })
          } catch (e) {
            banner.error(failureText(t, e))
          }
        }}
      >
        {t('documents.signature.dropText')}
      </Question>
    </div>
  )
}

const padWidth = 900
const padHeight = 300

/** A sheet to sign on, by finger, pen or mouse. Who signs by none of them brings a picture instead. */
function Pad({
  busy,
  onClose,
  onDone,
}: {
  busy: boolean
  onClose: () => void
  onDone: (image: string) => void
}) {
  const t = useWords()
  const canvas = useRef<HTMLCanvasElement>(null)
  const [isEmpty, setEmpty] = useState(true)
  const at = useRef<{ x: number; y: number }>(undefined)
  const place = (event: React.PointerEvent) => {
    const box = canvas.current!.getBoundingClientRect()
    return {
      x: ((event.clientX - box.left) / box.width) * padWidth,
      y: ((event.clientY - box.top) / box.height) * padHeight,
    }
  }
  const draw = (to: { x: number; y: number }) => {
    const pen = canvas.current!.getContext('2d')!
    const from = at.current ?? to
    pen.lineWidth = 6
    pen.lineCap = 'round'
    pen.lineJoin = 'round'
    // Ink on white paper, whatever the theme of the screen.
    pen.strokeStyle = '#16201d'
    pen.beginPath()
    pen.moveTo(from.x, from.y)
    // A touch without a movement is a dot.
    pen.lineTo(to.x + (from === to ? 0.1 : 0), to.y)
    pen.stroke()
    at.current = to
    setEmpty(false)
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      form
      size="l"
      title={t('documents.signature.draw')}
      actions={
        <>
          <Button
            kind="quiet"
            icon={Eraser}
            isDisabled={isEmpty}
            onPress={() => {
              canvas.current!.getContext('2d')!.clearRect(0, 0, padWidth, padHeight)
              setEmpty(true)
            }}
          >
            {t('documents.signature.clear')}
          </Button>
          <Button
            kind="primary"
            busy={busy}
            isDisabled={isEmpty}
            onPress={() => onDone(cut(canvas.current!))}
          >
            {t('kit.forms.save')}
          </Button>
        </>
      }
    >
      <p className="sub">{t('documents.signature.drawText')}</p>
      <canvas
        ref={canvas}
        className="doc-pad"
        width={padWidth}
        height={padHeight}
        role="img"
        aria-label={t('documents.signature.draw')}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          at.current = undefined
          draw(place(event))
        }}
        onPointerMove={(event) => at.current && draw(place(event))}
        onPointerUp={() => (at.current = undefined)}
        onPointerCancel={() => (at.current = undefined)}
      />
    </Dialog>
  )
}

/** What was drawn without the empty paper around it, as a PNG. */
function cut(from: HTMLCanvasElement): string {
  const { data } = from.getContext('2d')!.getImageData(0, 0, padWidth, padHeight)
  let [left, top, right, bottom] = [padWidth, padHeight, 0, 0]
  for (let y = 0; y < padHeight; y++)
    for (let x = 0; x < padWidth; x++)
      if (data[(y * padWidth + x) * 4 + 3]!) {
        left = Math.min(left, x)
        right = Math.max(right, x)
        top = Math.min(top, y)
        bottom = Math.max(bottom, y)
      }
  const edge = 8
  const [x, y] = [Math.max(0, left - edge), Math.max(0, top - edge)]
  const [width, height] = [Math.min(padWidth, right + edge) - x, Math.min(padHeight, bottom + edge) - y]
  const small = globalThis.document.createElement('canvas')
  small.width = Math.max(10, width)
  small.height = Math.max(10, height)
  small.getContext('2d')!.drawImage(from, x, y, width, height, 0, 0, width, height)
  return small.toDataURL('image/png')
}

/** A picture made small enough to keep, as a PNG. */
async function smallPicture(file: File): Promise<string> {
  const picture = await createImageBitmap(file)
  const scale = Math.min(1, 1200 / Math.max(picture.width, picture.height))
  const canvas = globalThis.document.createElement('canvas')
  canvas.width = Math.max(10, Math.round(picture.width * scale))
  canvas.height = Math.max(10, Math.round(picture.height * scale))
  canvas.getContext('2d')!.drawImage(picture, 0, 0, canvas.width, canvas.height)
  picture.close()
  const png = canvas.toDataURL('image/png')
  // A photograph is smaller as a JPEG, and has no clear ground that would be lost.
  return png.length < 1_200_000 ? png : canvas.toDataURL('image/jpeg', 0.85)
}
