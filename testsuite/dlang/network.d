/* options: -q */
/* command: NETWORK */
/* Packets and connections, with the documented args[]. The guest's other traffic is not on port 4321. */
udp:::send
/args[4]->udp_dport == 4321/
{
	printf("%s %s:%d > %s:%d %d %d %d\n", probename, args[2]->ip_saddr, args[4]->udp_sport, args[2]->ip_daddr,
	       args[4]->udp_dport, args[4]->udp_length, args[2]->ip_plength, args[3]->udps_lport);
}

udp:::receive
/args[4]->udp_dport == 4321/
{
	printf("%s %s %d %d %d\n", probename, args[2]->ip_daddr, args[4]->udp_dport, args[0]->pkt_addr != 0,
	       args[3]->udps_lport);
}

ip:::send
/args[4]->ipv4_protocol == IPPROTO_UDP/
{
	printf("%s %s %d %s %d %d %d %d\n", args[4]->ipv4_protostr, args[3]->if_name, args[3]->if_local,
	       args[4]->ipv4_daddr, args[4]->ipv4_length, args[4]->ipv4_ihl, args[2]->ip_ver,
	       args[5]->ipv6_hdr == NULL);
	printf("%d\n", args[3]->if_ipstack == `init_net.ns.inum);
}

tcp:::connect-request, tcp:::connect-established, tcp:::connect-refused, tcp:::accept-established
{
	printf("%s %s %s %d %d %d\n", probename, args[3]->tcps_laddr, args[3]->tcps_raddr,
	       args[3]->tcps_rport == 4321, args[3]->tcps_lport == 4321, args[1]->cs_addr == args[3]->tcps_addr);
}

tcp:::accept-refused
{
	printf("%s %s %d %d %d\n", probename, args[2]->ip_saddr, args[4]->tcp_sport, args[4]->tcp_flags & TH_RST,
	       args[4]->tcp_seq);
}

tcp:::send
/args[4]->tcp_dport == 4321/
{
	@sent[args[4]->tcp_flags & TH_SYN ? "SYN" : args[4]->tcp_flags & TH_PUSH ? "data" : "other"] =
		max(args[2]->ip_plength - args[4]->tcp_offset);
}

/* The connection at its only data: what is acknowledged, the scales of windows, the time-out, and no loss. */
tcp:::send
/args[4]->tcp_dport == 4321 && args[4]->tcp_flags & TH_PUSH/
{
	printf("%d %d %d %d\n", args[3]->tcps_suna - args[3]->tcps_iss, args[4]->tcp_seq - args[3]->tcps_suna,
	       args[4]->tcp_ack - args[3]->tcps_rack, args[3]->tcps_rnxt - args[3]->tcps_rack);
	printf("%d %d %d %d\n", args[3]->tcps_snd_ws, args[3]->tcps_rcv_ws, args[3]->tcps_rto >= 200,
	       args[3]->tcps_rto < 3000);
	printf("%d %d %d\n", args[3]->tcps_sack_fack - args[3]->tcps_suna,
	       args[3]->tcps_sack_snxt - args[3]->tcps_suna, args[3]->tcps_retransmit);
}

tcp:::receive
/args[4]->tcp_sport == 4321 && args[4]->tcp_flags & TH_RST/
{
	printf("refused in state %d\n", args[3]->tcps_state);
}

tcp:::state-change
{
	@changes[args[5]->tcps_state, args[3]->tcps_state] = count();
}
