import { BellRing, Bug, CalendarPlus, FileBadge, IdCard, MapPin, Send } from 'lucide-react'
import { callFile } from '#kit/web/calls/call.ts'
import { failureText } from '#kit/web/calls/call.ts'
import { dress } from '#kit/web/screens/dress.ts'
import { mayDo, session } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { pestCertificate } from '../endpoints.ts'
import { openRemind, openSend, openVisit } from './open.tsx'
import { pestLicences, pestSites, pestTreatments } from '../pest.ts'

dress(pestSites, {
  icon: Bug,
  columns: {
    name: { strong: true, phone: 'title' },
    customerId: { phone: 'line' },
    nextDay: { phone: 'state' },
  },
  actions: (row, t) => [
    ...(row.nextDay && !row.archivedAt && mayDo(session(), 'pest.change')
      ? [{ key: 'remind', label: t('pest.remind.do'), icon: BellRing, onPress: () => openRemind(row.id) }]
      : []),
    ...(row.nextDay && !row.archivedAt && mayDo(session(), 'tasks.change')
      ? [{ key: 'visit', label: t('pest.visit.do'), icon: CalendarPlus, onPress: () => openVisit(row) }]
      : []),
    ...(row.address
      ? [
          {
            key: 'map',
            label: t('pest.map'),
            icon: MapPin,
            onPress: () =>
              void window.open(
                `https://www.openstreetmap.org/search?query=${encodeURIComponent(String(row.address))}`,
                '_blank',
                'noopener,noreferrer',
              ),
          },
        ]
      : []),
  ],
})

dress(pestLicences, {
  icon: IdCard,
  columns: {
    worker: { strong: true, phone: 'title' },
    number: { phone: 'line' },
    validUntil: { phone: 'state' },
  },
})

dress(pestTreatments, {
  icon: FileBadge,
  columns: {
    pest: { strong: true, phone: 'title' },
    siteId: { phone: 'line' },
    day: { phone: 'line' },
    nextDay: { phone: 'state' },
  },
  actions: (row, t) => [
    // Put away before it was certified, it has none; put away, it is sent to nobody.
    ...(!row.archivedAt || row.isSealed
      ? [
          {
            key: 'certificate',
            label: t('pest.certificate'),
            icon: FileBadge,
            onPress: () =>
              void callFile(pestCertificate, { id: row.id }, { open: true }).catch((e: unknown) =>
                banner.error(failureText(t, e)),
              ),
          },
        ]
      : []),
    ...(!row.archivedAt && mayDo(session(), 'pest.change')
      ? [{ key: 'send', label: t('pest.send.do'), icon: Send, onPress: () => openSend(row.id) }]
      : []),
  ],
})
