import { ChannelPage } from './channel-page.tsx'
import { Channels } from './channels.tsx'

export function ChannelRoom({ item }: { item: number | null }) {
  return item === null ? <Channels /> : <ChannelPage id={item} />
}
