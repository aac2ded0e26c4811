// SPDX-License-Identifier: GPL-2.0
/*
 * Driver of the network interface in rtl/nic/, whose registers nic.md describes there.
 *
 * Parameters, on the kernel's command line as soc_nic.NAME=1, all 0 by default: the
 *driver of the case study (Karandikar et al., FirePerf, ASPLOS 2020) before its steps.
 *
 *	napi	polls while there is work, and frames sent interrupt only if the queue is
 *		full; else each frame sent or received interrupts
 *	csum	the NIC computes and tests the checksums of TCP and UDP
 *	jumbo	frames with an MTU of 9000 bytes; else 1500
 */
#include <linux/dma-mapping.h>
#include <linux/etherdevice.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/io.h>
#include <linux/io-64-nonatomic-lo-hi.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/of.h>
#include <linux/platform_device.h>
#include <linux/version.h>

enum {
	SEND = 0x00,
	RECV = 0x08,
	SENT = 0x10,
	RECEIVED = 0x18,
	SEND_CSUM = 0x20,
	INT_STATUS = 0x28,
	INT_ENABLE = 0x30,
	INT_DISABLE = 0x38,
	CONTROL = 0x40,
	STATUS = 0x48,
	MAC = 0x58,
	TX_DROPS = 0x70,
	RX_DROPS_FULL = 0x88,
	RX_DROPS_SIZE = 0x90,
	RX_DROPS_OFF = 0x98,
};

enum { INT_SENT = 1, INT_RECEIVED = 2, INT_LINK = 4 };
enum { CONTROL_SEND = 1, CONTROL_RECEIVE = 2 };
enum { STATUS_LINK = 1, STATUS_SENDS = 2, STATUS_RECEIVES = 4 };
enum { QUEUE = 64, CSUM_OFFSET_SHIFT = 16, JUMBO_MTU = 9000, ADDRESS_BITS = 48 };

#define SEND_BYTES_SHIFT 48
#define SEND_PARTIAL	 BIT_ULL(63)
#define SEND_CSUM_ON	 BIT(31)
#define RECV_BYTES_SHIFT 48
#define RECEIVED_BYTES	 0xffffU
#define RECEIVED_L4	 BIT(29)
#define RECEIVED_GOOD	 BIT(30)
#define RECEIVED_VALID	 BIT(31)

/* With NAPI, the longest time for which a frame that has been sent keeps its memory. */
#define RECLAIM_NS (1 * NSEC_PER_MSEC)

/* A frame needs a request for its head and one for each fragment. */
#define REQUESTS_MAX (MAX_SKB_FRAGS + 1)

static bool napi;
module_param(napi, bool, 0444);
MODULE_PARM_DESC(napi,
		 "poll while there is work, instead of an interrupt for each frame");
static bool csum;
module_param(csum, bool, 0444);
MODULE_PARM_DESC(csum, "let the NIC compute and test checksums of TCP and UDP");
static bool jumbo;
module_param(jumbo, bool, 0444);
MODULE_PARM_DESC(jumbo, "use an MTU of 9000 bytes");

/* A request to send, or a buffer to receive into. */
struct request {
	struct sk_buff
	    *skb; /* of a request to send: NULL unless it is the frame's last */
	dma_addr_t address;
	unsigned int bytes;
	bool is_page;
};

struct nic {
	void __iomem *registers;
	struct device *device;
	struct net_device *net;
	struct napi_struct napi;
	int sends_irq, receives_irq;

	struct request send[QUEUE];
	u32 queued; /* requests written; only ndo_start_xmit changes it */
	u32 freed;  /* requests whose memory has been freed; only completion does */
	struct hrtimer reclaim;

	struct request receive[QUEUE];
	u32 filled;    /* buffers given to the NIC */
	u32 taken;     /* buffers that it has returned */
	u64 no_memory; /* frames dropped because there was no new buffer */
};

static unsigned int buffer_bytes(const struct net_device *net)
{
	return net->mtu + ETH_HLEN + 4; /* 4: a VLAN tag */
}

/* --- sending --------------------------------------------------------------- */

static unsigned int send_room(const struct nic *nic)
{
	return QUEUE - (nic->queued - READ_ONCE(nic->freed));
}

static void release(const struct nic *nic, const struct request *r)
{
	if (r->is_page)
		dma_unmap_page(nic->device, r->address, r->bytes, DMA_TO_DEVICE);
	else
		dma_unmap_single(nic->device, r->address, r->bytes, DMA_TO_DEVICE);
}

/* Maps the head, or fragment `i` from 0 on, as the request `n`. */
static bool map(struct nic *nic, u32 n, const struct sk_buff *skb, int i)
{
	struct request *r = &nic->send[n % QUEUE];

	r->skb = NULL;
	r->is_page = i >= 0;
	if (i < 0) {
		r->bytes = skb_headlen(skb);
		r->address =
		    dma_map_single(nic->device, skb->data, r->bytes, DMA_TO_DEVICE);
	} else {
		const skb_frag_t *frag = &skb_shinfo(skb)->frags[i];

		r->bytes = skb_frag_size(frag);
		r->address =
		    skb_frag_dma_map(nic->device, frag, 0, r->bytes, DMA_TO_DEVICE);
	}
	return !dma_mapping_error(nic->device, r->address);
}

static void write_requests(struct nic *nic, u32 end)
{
	while (nic->queued != end) {
		const struct request *r = &nic->send[nic->queued % QUEUE];
		u64 partial = nic->queued + 1 != end ? SEND_PARTIAL : 0;

		writeq((u64)r->address | (u64)r->bytes << SEND_BYTES_SHIFT | partial,
		       nic->registers + SEND);
		nic->queued++;
	}
}

/* With NAPI, a poll after received frames frees what has been sent. If there are none, a
 * full queue interrupts and a timer polls. */
static void stop_sending(struct nic *nic)
{
	netif_stop_queue(nic->net);
	smp_mb(); /* against complete_sends() */
	if (send_room(nic) >= REQUESTS_MAX)
		netif_start_queue(nic->net);
	else if (napi)
		writel(INT_SENT, nic->registers + INT_ENABLE);
}

static netdev_tx_t start_xmit(struct sk_buff *skb, struct net_device *net)
{
	struct nic *nic = netdev_priv(net);
	int frags = skb_shinfo(skb)->nr_frags, i;
	u32 n = nic->queued;

	for (i = -1; i < frags; i++) {
		if (map(nic, n, skb, i)) {
			n++;
			continue;
		}
		while (n != nic->queued)
			release(nic, &nic->send[--n % QUEUE]);
		net->stats.tx_dropped++;
		dev_kfree_skb_any(skb);
		return NETDEV_TX_OK;
	}
	nic->send[(n - 1) % QUEUE].skb = skb;
	if (skb->ip_summed == CHECKSUM_PARTIAL) {
		u32 start = skb_checksum_start_offset(skb);
		u32 offset = start + skb->csum_offset;

		writel(SEND_CSUM_ON | offset << CSUM_OFFSET_SHIFT | start,
		       nic->registers + SEND_CSUM);
	}
	net->stats.tx_packets++;
	net->stats.tx_bytes += skb->len;
	skb_tx_timestamp(skb);
	write_requests(nic, n);
	if (napi && !hrtimer_is_queued(&nic->reclaim))
		hrtimer_start(&nic->reclaim, RECLAIM_NS, HRTIMER_MODE_REL_PINNED);
	if (send_room(nic) < REQUESTS_MAX)
		stop_sending(nic);
	return NETDEV_TX_OK;
}

/* Frees what has been sent. `budget` as for napi_consume_skb(). */
static void complete_sends(struct nic *nic, int budget)
{
	u32 sent = readl(nic->registers + SENT);

	while (nic->freed != sent) {
		struct request *r = &nic->send[nic->freed % QUEUE];

		release(nic, r);
		if (r->skb)
			napi_consume_skb(r->skb, budget);
		r->skb = NULL;
		smp_store_release(&nic->freed, nic->freed + 1);
	}
	smp_mb(); /* against stop_sending() */
	if (netif_queue_stopped(nic->net) && send_room(nic) >= REQUESTS_MAX)
		netif_wake_queue(nic->net);
}

/* --- receiving ------------------------------------------------------------- */

/* Gives the NIC one more buffer. Returns false if there is no memory. */
static bool fill(struct nic *nic)
{
	struct request *r = &nic->receive[nic->filled % QUEUE];
	unsigned int bytes = buffer_bytes(nic->net);
	struct sk_buff *skb = netdev_alloc_skb_ip_align(nic->net, bytes);

	if (!skb)
		return false;
	r->address = dma_map_single(nic->device, skb->data, bytes, DMA_FROM_DEVICE);
	if (dma_mapping_error(nic->device, r->address)) {
		dev_kfree_skb_any(skb);
		return false;
	}
	r->skb = skb;
	r->bytes = bytes;
	writeq((u64)r->address | (u64)bytes << RECV_BYTES_SHIFT, nic->registers + RECV);
	nic->filled++;
	return true;
}

/* Takes the buffer of a frame out of the ring. Without memory for a new one the frame is
 * dropped, and its buffer used again. */
static struct sk_buff *take(struct nic *nic)
{
	struct request *r = &nic->receive[nic->taken % QUEUE];
	struct request old = *r;

	nic->taken++;
	if (fill(nic)) {
		dma_unmap_single(nic->device, old.address, old.bytes, DMA_FROM_DEVICE);
		return old.skb;
	}
	nic->no_memory++;
	*r = old;
	nic->filled++;
	writeq((u64)old.address | (u64)old.bytes << RECV_BYTES_SHIFT,
	       nic->registers + RECV);
	return NULL;
}

/* Receives at most `most` frames. Returns how many. */
static int receive(struct nic *nic, int most, bool is_polling)
{
	struct net_device *net = nic->net;
	int n;

	for (n = 0; n < most; n++) {
		u32 frame = readl(nic->registers + RECEIVED);
		struct sk_buff *skb;

		if (!(frame & RECEIVED_VALID))
			break;
		skb = take(nic);
		if (!skb)
			continue;
		skb_put(skb, frame & RECEIVED_BYTES);
		net->stats.rx_packets++;
		net->stats.rx_bytes += skb->len;
		skb->protocol = eth_type_trans(skb, net);
		if (csum && frame & RECEIVED_L4 && frame & RECEIVED_GOOD)
			skb->ip_summed = CHECKSUM_UNNECESSARY;
		if (is_polling)
			napi_gro_receive(&nic->napi, skb);
		else
			netif_rx(skb);
	}
	return n;
}

/* --- interrupts ------------------------------------------------------------ */

static void note_link(struct nic *nic)
{
	writel(INT_LINK, nic->registers + INT_STATUS);
	if (readl(nic->registers + STATUS) & STATUS_LINK)
		netif_carrier_on(nic->net);
	else
		netif_carrier_off(nic->net);
}

static void schedule_poll(struct nic *nic)
{
	writel(INT_SENT | INT_RECEIVED, nic->registers + INT_DISABLE);
	napi_schedule(&nic->napi);
}

static enum hrtimer_restart on_reclaim(struct hrtimer *timer)
{
	schedule_poll(container_of(timer, struct nic, reclaim));
	return HRTIMER_NORESTART;
}

static irqreturn_t on_sent(int irq, void *data)
{
	struct nic *nic = data;
	u32 status = readl(nic->registers + INT_STATUS);

	if (status & INT_LINK)
		note_link(nic);
	if (!(status & INT_SENT))
		return status & INT_LINK ? IRQ_HANDLED : IRQ_NONE;
	if (napi)
		schedule_poll(nic);
	else
		complete_sends(nic, 0);
	return IRQ_HANDLED;
}

static irqreturn_t on_received(int irq, void *data)
{
	struct nic *nic = data;

	if (napi)
		schedule_poll(nic);
	else
		receive(nic, INT_MAX, false);
	return IRQ_HANDLED;
}

static int poll(struct napi_struct *context, int budget)
{
	struct nic *nic = container_of(context, struct nic, napi);
	int done;

	complete_sends(nic, budget);
	done = receive(nic, budget, true);
	if (done < budget && napi_complete_done(context, done))
		writel(netif_queue_stopped(nic->net) ? INT_SENT | INT_RECEIVED
						     : INT_RECEIVED,
		       nic->registers + INT_ENABLE);
	return done;
}

/* --- on and off ------------------------------------------------------------ */

static void free_all(struct nic *nic)
{
	for (; nic->freed != nic->queued; nic->freed++) {
		struct request *r = &nic->send[nic->freed % QUEUE];

		release(nic, r);
		dev_kfree_skb_any(r->skb);
		r->skb = NULL;
	}
	for (; nic->taken != nic->filled; nic->taken++) {
		struct request *r = &nic->receive[nic->taken % QUEUE];

		dma_unmap_single(nic->device, r->address, r->bytes, DMA_FROM_DEVICE);
		dev_kfree_skb_any(r->skb);
	}
}

static void wait_until_quiet(const struct nic *nic)
{
	while (readl(nic->registers + STATUS) & (STATUS_SENDS | STATUS_RECEIVES))
		cpu_relax();
}

static int nic_open(struct net_device *net)
{
	struct nic *nic = netdev_priv(net);
	int error;

	wait_until_quiet(nic);
	writel(CONTROL_SEND | CONTROL_RECEIVE, nic->registers + CONTROL);
	nic->queued = nic->freed = readl(nic->registers + SENT);
	while (nic->filled - nic->taken < QUEUE && fill(nic))
		continue;
	error = nic->filled == nic->taken ? -ENOMEM : 0;
	if (!error)
		error = request_irq(nic->sends_irq, on_sent, 0, net->name, nic);
	if (!error) {
		error = request_irq(nic->receives_irq, on_received, 0, net->name, nic);
		if (error)
			free_irq(nic->sends_irq, nic);
	}
	if (error) {
		writel(0, nic->registers + CONTROL);
		wait_until_quiet(nic);
		free_all(nic);
		return error;
	}
	if (napi)
		napi_enable(&nic->napi);
	note_link(nic);
	netif_start_queue(net);
	writel((napi ? 0 : INT_SENT) | INT_RECEIVED | INT_LINK,
	       nic->registers + INT_ENABLE);
	return 0;
}

static int nic_stop(struct net_device *net)
{
	struct nic *nic = netdev_priv(net);

	netif_stop_queue(net);
	writel(INT_SENT | INT_RECEIVED | INT_LINK, nic->registers + INT_DISABLE);
	if (napi) {
		hrtimer_cancel(&nic->reclaim);
		napi_disable(&nic->napi);
	}
	writel(INT_SENT | INT_RECEIVED | INT_LINK, nic->registers + INT_DISABLE);
	free_irq(nic->sends_irq, nic);
	free_irq(nic->receives_irq, nic);
	writel(0, nic->registers + CONTROL);
	wait_until_quiet(nic);
	free_all(nic);
	return 0;
}

/* The size of the buffers depends on it. */
static int change_mtu(struct net_device *net, int mtu)
{
	if (netif_running(net))
		return -EBUSY;
	net->mtu = mtu;
	return 0;
}

static void get_stats(struct net_device *net, struct rtnl_link_stats64 *stats)
{
	const struct nic *nic = netdev_priv(net);

	netdev_stats_to_stats64(stats, &net->stats);
	stats->rx_dropped = nic->no_memory;
	stats->rx_missed_errors =
	    readq(nic->registers + RX_DROPS_FULL) + readq(nic->registers + RX_DROPS_OFF);
	stats->rx_length_errors = readq(nic->registers + RX_DROPS_SIZE);
	stats->rx_errors = stats->rx_length_errors;
	stats->tx_carrier_errors = readq(nic->registers + TX_DROPS);
	stats->tx_errors = stats->tx_carrier_errors;
}

static const struct net_device_ops operations = {
    .ndo_open = nic_open,
    .ndo_stop = nic_stop,
    .ndo_start_xmit = start_xmit,
    .ndo_change_mtu = change_mtu,
    .ndo_get_stats64 = get_stats,
    .ndo_validate_addr = eth_validate_addr,
};

static void set_address(struct nic *nic)
{
	u64 mac = readq(nic->registers + MAC);
	u8 address[ETH_ALEN];
	int i;

	for (i = 0; i < ETH_ALEN; i++)
		address[i] = mac >> 8 * i;
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 15, 0)
	ether_addr_copy(nic->net->dev_addr, address);
#else
	eth_hw_addr_set(nic->net, address);
#endif
}

static void set_up(struct nic *nic)
{
	struct net_device *net = nic->net;

	net->netdev_ops = &operations;
	net->features = NETIF_F_SG | NETIF_F_HIGHDMA;
	if (csum)
		net->features |= NETIF_F_HW_CSUM | NETIF_F_RXCSUM;
	net->hw_features = net->features;
	if (jumbo)
		net->mtu = net->max_mtu = JUMBO_MTU;
	set_address(nic);
	hrtimer_init(&nic->reclaim, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED);
	nic->reclaim.function = on_reclaim;
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 1, 0)
	netif_napi_add(net, &nic->napi, poll, NAPI_POLL_WEIGHT);
#else
	netif_napi_add(net, &nic->napi, poll);
#endif
}

static int probe(struct platform_device *platform)
{
	struct net_device *net = devm_alloc_etherdev(&platform->dev, sizeof(struct nic));
	struct nic *nic;
	int error;

	if (!net)
		return -ENOMEM;
	SET_NETDEV_DEV(net, &platform->dev);
	nic = netdev_priv(net);
	nic->net = net;
	nic->device = &platform->dev;
	nic->registers = devm_platform_ioremap_resource(platform, 0);
	if (IS_ERR(nic->registers))
		return PTR_ERR(nic->registers);
	nic->sends_irq = platform_get_irq(platform, 0);
	nic->receives_irq = platform_get_irq(platform, 1);
	if (nic->sends_irq < 0 || nic->receives_irq < 0)
		return -ENXIO;
	error = dma_set_mask_and_coherent(nic->device, DMA_BIT_MASK(ADDRESS_BITS));
	if (error)
		return error;
	set_up(nic);
	netif_carrier_off(net);
	return register_netdev(net);
}

static const struct of_device_id compatible[] = {
    {.compatible = "soc,nic"},
    {},
};

static struct platform_driver soc_nic = {
    .probe = probe,
    .driver =
	{
	    .name = "soc_nic",
	    .of_match_table = compatible,
	    .suppress_bind_attrs = true,
	},
};
builtin_platform_driver(soc_nic);
