import SignaturePad from 'signature_pad'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { FileDrop } from '#kit/web/parts/FileDrop.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { Undo2 } from 'lucide-react'
import type { SignatureValue } from '../shapes.ts'

export interface PenProps {
  label: string
  value: SignatureValue | null
  onChange: (value: SignatureValue | null) => void
  /** What a typed signature begins with. */
  name: string
  error?: string | undefined
}

type Way = 'drawn' | 'typed' | 'picture'

const wayOf = (value: SignatureValue | null): Way =>
  value && 'typed' in value ? 'typed' : value && 'picture' in value ? 'picture' : 'drawn'

/** A signature by finger or mouse, typed (by keyboard alone), or out of a picture. */
export function Pen({ label, value, onChange, name, error }: PenProps) {
  const t = useWords()
  const [way, setWay] = useState<Way>(wayOf(value))
  return (
    <div className="sg-stack" role="group" aria-label={label}>
      <ChoiceField
        label={t('signing.pen.how')}
        hideLabel
        value={way}
        onChange={(next) => {
          setWay(next ?? 'drawn')
          if (next === 'typed') onChange({ typed: value && 'typed' in value ? value.typed : name })
          else onChange(null)
        }}
        choices={(['drawn', 'typed', 'picture'] as const).map((one) => ({
          value: one,
          label: t(`signing.pen.${one}`),
        }))}
      />
      {way === 'drawn' && (
        <Pad label={label} value={value && 'strokes' in value ? value : null} onChange={onChange} />
      )}
      {way === 'typed' && (
        <>
          <TextField
            label={t('signing.pen.typedLabel', { label })}
            value={value && 'typed' in value ? value.typed : ''}
            onChange={(typed) => onChange(typed ? { typed } : null)}
            max={120}
            {...(error ? { error } : {})}
          />
          <div className="sg-typed" aria-hidden>
            <bdi>{value && 'typed' in value ? value.typed : ''}</bdi>
          </div>
        </>
      )}
      {way === 'picture' && (
        <>
          <FileDrop
            accept="image/png,image/jpeg"
            limit={8 * 1024 * 1024}
            label={t('signing.pen.choosePicture')}
            onFiles={([one]) =>
              one && void shrunk(one).then((picture) => onChange(picture ? { picture } : null))
            }
          >
            {t('signing.pen.choosePicture')}
          </FileDrop>
          {value && 'picture' in value && (
            <img className="sg-shown" src={`data:image/png;base64,${value.picture}`} alt={label} />
          )}
        </>
      )}
      {error && way !== 'typed' && (
        <p className="k-msg" data-tone="late" role="alert">
          {error}
        </p>
      )}
    </div>
  )
}

/** Any picture as a small PNG: what it was made by and where stays with its owner. */
async function shrunk(file: File): Promise<string | undefined> {
  try {
    const bitmap = await createImageBitmap(file)
    const scale = Math.min(1, 800 / bitmap.width, 400 / bitmap.height)
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.round(bitmap.width * scale))
    canvas.height = Math.max(1, Math.round(bitmap.height * scale))
    canvas.getContext('2d')!.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
    return canvas.toDataURL('image/png').split(',')[1]
  } catch {
    return undefined
  }
}

function Pad({
  label,
  value,
  onChange,
}: {
  label: string
  value: Extract<SignatureValue, { strokes: unknown }> | null
  onChange: (value: SignatureValue | null) => void
}) {
  const t = useWords()
  const canvas = useRef<HTMLCanvasElement>(null)
  const pad = useRef<SignaturePad>(undefined)
  const [before] = useState(value)
  const changed = useEffectEvent(onChange)
  useEffect(() => {
    const element = canvas.current
    if (!element) return
    const scale = Math.max(window.devicePixelRatio || 1, 1)
    element.width = element.clientWidth * scale
    element.height = element.clientHeight * scale
    element.getContext('2d')?.scale(scale, scale)
    const made = new SignaturePad(element, { penColor: '#12306b', minWidth: 1, maxWidth: 2.6 })
    pad.current = made
    if (before)
      made.fromData(
        before.strokes.map((points) => ({
          points: points.map(([x, y]) => ({
            x: (x / before.width) * element.clientWidth,
            y: (y / before.height) * element.clientHeight,
            pressure: 0.5,
            time: 0,
          })),
          penColor: '#12306b',
          dotSize: 0,
          minWidth: 1,
          maxWidth: 2.6,
          velocityFilterWeight: 0.7,
          compositeOperation: 'source-over' as const,
        })),
      )
    made.addEventListener('endStroke', () => {
      const strokes = made
        .toData()
        .map(({ points }) =>
          points
            .map(({ x, y }): [number, number] => [Math.round(x * 10) / 10, Math.round(y * 10) / 10])
            .slice(0, 3000),
        )
        .filter((points) => points.length > 0)
        .slice(0, 200)
      changed(strokes.length ? { strokes, width: element.clientWidth, height: element.clientHeight } : null)
    })
    return () => made.off()
  }, [before])
  return (
    <>
      <canvas ref={canvas} className="sg-pad" role="img" aria-label={t('signing.pen.padLabel', { label })} />
      <span>
        <Button
          size="s"
          icon={Undo2}
          onPress={() => {
            pad.current?.clear()
            onChange(null)
          }}
        >
          {t('signing.pen.clear')}
        </Button>
      </span>
    </>
  )
}

/** A drawn signature as it lies on the paper. */
export function Ink({ of }: { of: Extract<SignatureValue, { strokes: unknown }> }) {
  const path = of.strokes.map((points) => `M${points.map(([x, y]) => `${x} ${y}`).join('L')}`).join('')
  return (
    <svg
      className="sg-ink"
      viewBox={`0 0 ${of.width} ${of.height}`}
      aria-hidden
      preserveAspectRatio="xMidYMid meet"
    >
      <path
        d={path}
        fill="none"
        stroke="#12306b"
        strokeWidth={2.4}
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
