import { Check, RotateCw, TriangleAlert, Upload as UploadIcon, X } from 'lucide-react'
import { useFailureText } from '#kit/web/calls/call.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { clearUploads, tryAgain, useUploads } from './uploads.ts'

/** How far the files of a place have come: one bar for all, and a line for each that was refused. */
export function UploadList({ place }: { place: string }) {
  const t = useWords()
  const say = useFailureText()
  const uploads = useUploads(place)
  if (uploads.length === 0) return null
  const failed = uploads.filter(({ state }) => state === 'failed')
  const over = uploads.filter(({ state }) => state === 'done' || state === 'failed').length
  const done = over - failed.length
  const running = over < uploads.length
  // All went well: the new rows say so themselves.
  if (!running && failed.length === 0) return null
  const share = Math.round((over / uploads.length) * 100)
  return (
    <section className="fi-uploads" aria-label={t('files.uploads')}>
      <div className="head">
        <Icon of={running ? UploadIcon : done ? Check : TriangleAlert} />
        <span className="grow" role="status">
          {running
            ? t('files.uploading', { done: over, total: uploads.length })
            : t('files.uploaded', { done })}
        </span>
        <Button
          kind="quiet"
          size="s"
          icon={X}
          label={t(running ? 'files.stop' : 'kit.actions.close')}
          onPress={() => clearUploads(place)}
        />
      </div>
      {running && (
        <span
          className="k-track"
          role="progressbar"
          aria-label={t('files.uploads')}
          aria-valuenow={share}
          aria-valuemin={0}
          aria-valuemax={100}
        >
          <i style={{ inlineSize: `${share}%` }} />
        </span>
      )}
      {failed.map((one) => (
        <div key={one.key} className="failed" role="alert">
          <span className="grow">
            <bdi>{one.file.name}</bdi> <span className="why">{say(one.failure)}</span>
          </span>
          <Button
            kind="quiet"
            size="s"
            icon={RotateCw}
            label={t('kit.actions.retry')}
            onPress={() => tryAgain(one.key)}
          />
        </div>
      ))}
    </section>
  )
}
