import { Link } from 'react-aria-components/Link'
import { canDocument } from '#kit/describe/session.ts'
import { Dialog } from '../parts/Dialog.tsx'
import { Icon } from '../parts/Icon.tsx'
import { mayDo, useSession } from '../session/session.ts'
import { useWords } from '../words/words.tsx'
import { newThings } from './registry.ts'

/** What one may begin, from below: the kinds of documents, a photographed expense. */
export function PlusSheet({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const session = useSession()
  const things = newThings
    .filter(
      (thing) =>
        mayDo(session, thing.rule) &&
        (thing.documentType === undefined || canDocument(session, thing.documentType)),
    )
    .toSorted((a, b) => (a.order ?? 50) - (b.order ?? 50))
  return (
    <Dialog isOpen onClose={onClose} title={t('kit.shell.new')}>
      <ul className="s-new">
        {things.map((thing) => (
          <li key={thing.key}>
            <Link href={thing.href} onPress={onClose}>
              <span className="tile">
                <Icon of={thing.icon} />
              </span>
              {t(thing.word)}
            </Link>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
