import { Groups } from './groups.tsx'
import { GroupPage } from './group-page.tsx'

export function GroupRoom({ item }: { item: number | null }) {
  return item === null ? <Groups /> : <GroupPage id={item} />
}
