import { Star } from 'lucide-react'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { refreshResource, type AnyRow } from '#kit/web/screens/resources.ts'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { filesOfThing } from '#features/base/files/endpoints.ts'
import { FilesPanel, Thumb } from '#features/base/files/web/index.tsx'
import { setPicture } from '../endpoints.ts'
import { items } from '../items.ts'

/** The pictures and papers of an item, and which picture stands for it. */
export function Panel({ row }: { row: AnyRow }) {
  const t = useWords()
  const may = useCan()
  const { data } = useCall(filesOfThing, { entity: 'items', id: row.id })
  const pictures = (data?.rows ?? []).filter(({ mime }) => mime.startsWith('image/'))
  const choose = (fileId: string) =>
    void call(setPicture, { id: row.id, fileId })
      .then(() => refreshResource(items))
      .catch((e: unknown) => banner.error(failureText(t, e)))
  const main = pictures.some(({ id }) => id === row.pictureId) ? row.pictureId : pictures[0]?.id
  return (
    <div className="grid gap-5">
      {pictures.length > 1 && may(items.allow.change) && (
        <section aria-label={t('items.mainPicture')}>
          <h2 className="it-head">{t('items.mainPicture')}</h2>
          <div className="it-pictures">
            {pictures.map((file) => (
              <span key={file.id} data-on={file.id === main ? '' : undefined}>
                <Thumb id={file.id} mime={file.mime} />
                <Button
                  kind={file.id === main ? 'soft' : 'quiet'}
                  size="xs"
                  icon={Star}
                  label={t('items.makeMain', { name: file.name })}
                  onPress={() => choose(file.id)}
                />
              </span>
            ))}
          </div>
        </section>
      )}
      <FilesPanel entity="items" id={row.id} mayChange={may(items.allow.change)} />
    </div>
  )
}
